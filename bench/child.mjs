// Starts worker.mjs in a process of its own and turns what becomes of it into a value or an error.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const worker = fileURLToPath(new URL('./worker.mjs', import.meta.url));

/**
 * Resolves with what the worker printed; rejects when it failed, died, hung, or printed anything else. The worker runs in
 * the Node.js at `node`.
 */
export function ask(args, timeoutMs, node = process.execPath) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [worker, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of Object.keys(output)) {
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text;
      });
    }

    // When the driver is stopped in mid-run, its child must not go on alone.
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, timeoutMs);

    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      process.removeListener('exit', kill);
      const complaint = output.stderr.trim();
      if (timedOut) return reject(new Error(`did not end within ${timeoutMs / 1_000} s\n${complaint}`.trim()));
      if (signal) return reject(new Error(`died of ${signal}\n${complaint}`.trim()));
      if (code !== 0) return reject(new Error(complaint || `ended with exit code ${code}`));
      try {
        resolve(JSON.parse(output.stdout));
      } catch {
        reject(new Error(`printed no line of JSON: ${output.stdout.trim()}`));
      }
    });
  });
}
