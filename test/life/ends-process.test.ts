// Every way a process ends in the middle of the callback API.
import { testProcessEndings } from './process-endings.js';
import { callbacks } from './stages.js';

testProcessEndings(callbacks);
