// Every way a worker ends in the middle of the callback API.
import { callbacks } from './stages.js';
import { testWorkerEndings } from './worker-endings.js';

testWorkerEndings(callbacks);
