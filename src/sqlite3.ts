// The module under the path it has in node-sqlite3, for programs that require 'lib/sqlite3'.

import sqlite3 = require('./index.js');

export = sqlite3;
