// The core without Node, as it is.
import { describeCore } from './program.js';

describeCore('the core', []);
