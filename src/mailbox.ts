// Joins the parts at the native door: results that arrive there are decoded and delivered to their requests.

import { addon, binding, onResults } from './native/binding.js';
import { connectionOf, expecting, onLoneRequest, release } from './request/connection.js';
import { raise } from './request/raise.js';
import { Mailbox } from './result/deliver.js';

/** One for each JavaScript environment, as the addon's own. */
export const mailbox = new Mailbox(binding, connectionOf, release, expecting, raise);

onResults(mailbox.deliver);
// On a single processor the loop would only keep SQLite from working.
if (addon.processors > 1) onLoneRequest(mailbox.anticipate);
