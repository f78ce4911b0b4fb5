// A package registry on this machine's loopback that serves a few tarballs and knows no other package.
//
// With it a package manager resolves "npm:sqlite-tandem@version" as it will for users, before anything was published;
// and as no other package can be had from it, an install that succeeds has downloaded nothing else.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** Serves tarball files; `requests` lists the paths that were asked for, `close` ends it. */
export async function startRegistry(files) {
  const packages = new Map();
  const tarballs = new Map();
  const requests = [];

  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, url).pathname);
    requests.push(path);
    const tarball = tarballs.get(path);
    const document = packages.get(path.slice(1));
    if (request.method === 'GET' && tarball !== undefined) {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': tarball.length });
      response.end(tarball);
    } else if (request.method === 'GET' && document !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document));
    } else {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: `${request.method} ${path} is not served here` }));
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${server.address().port}`;

  for (const file of files) {
    const bytes = readFileSync(file);
    const manifest = JSON.parse(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }));
    const { name, version } = manifest;
    const path = `/${name}/-/${name}-${version}.tgz`;
    tarballs.set(path, bytes);
    const document = packages.get(name) ?? { name, 'dist-tags': {}, versions: {}, time: {} };
    document['dist-tags'].latest = version;
    // Long ago: package managers may pass over what was published a moment before.
    document.time[version] = '2020-01-01T00:00:00.000Z';
    document.versions[version] = {
      ...manifest,
      dist: {
        tarball: url + path,
        shasum: createHash('sha1').update(bytes).digest('hex'),
        integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
      },
    };
    packages.set(name, document);
  }

  const close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return { url, requests, close };
}
