// Joins the parts at the native door: results that arrive there are decoded and delivered to their requests.

import { binding, onResults } from './native/binding.js';
import { connectionOf, expecting, raise, release } from './request/connection.js';
import { Mailbox } from './result/deliver.js';

/** One for each JavaScript environment, as the addon's own. */
export const mailbox = new Mailbox(binding, connectionOf, release, expecting, raise);

onResults(mailbox.deliver);
