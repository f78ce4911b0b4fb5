// The core without Node, under the sanitizer of threads.
import { describeCore } from './program.js';

describeCore('the core, with each access between threads checked', ['--sanitize', 'thread']);
