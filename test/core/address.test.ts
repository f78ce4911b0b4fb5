// The core without Node, under the sanitizers of addresses and of undefined behaviour.
import { describeCore } from './program.js';

describeCore('the core, with each access to memory checked', ['--sanitize', 'address,undefined']);
