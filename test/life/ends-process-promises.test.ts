// Every way a process ends in the middle of the promise API.
import { testProcessEndings } from './process-endings.js';
import { promises } from './promise-stages.js';

testProcessEndings(promises);
