// Every way a worker ends in the middle of the promise API.
import { promises } from './promise-stages.js';
import { testWorkerEndings } from './worker-endings.js';

testWorkerEndings(promises);
