import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Router } from 'express';
import { guidePages } from '../pages/guides.js';
import { ICON } from '../pages/kit/icon.js';
import { type PageKit } from '../pages/kit/page-kit.js';
import { readApiReference } from './api-reference.js';
import { acceptsGzip, sendGzip } from './accepts.js';
import { type OpenApi } from './route-table.js';

const FOR_A_DAY = 'public, max-age=86400';
const FOR_MINUTES = 'public, max-age=300';

export function readOpenApi(file: string): OpenApi {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Serves the OpenAPI document, a page that displays it, and the guides. `folder` contains the files of the page and the guides. The documents require
 * no key, so a client that sends many requests without reading the responses must not occupy file handles or memory: all responses share one copy in
 * memory, and nothing is compressed per request.
 */
export function documents(document: OpenApi, kit: Pick<PageKit, 'site' | 'stylesheet'>, folder: string): Router {
  const { site } = kit;
  const reference = readApiReference(join(folder, 'reference'), site);
  const plain = Buffer.from(JSON.stringify({ ...document, servers: serversOf(document, site.baseUrl) }));
  const zipped = gzipSync(plain);
  const router = Router();
  router.get('/api/v1/openapi.json', (request, response) => {
    response.set({ 'Cache-Control': FOR_MINUTES, Vary: 'Accept-Encoding' }).type('json');
    if (acceptsGzip(request)) sendGzip(response, zipped);
    else response.send(plain);
  });
  router.get('/favicon.ico', (_request, response) => {
    response.set('Cache-Control', FOR_A_DAY).type('svg').send(ICON);
  });
  router.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', reference.contentPolicy).type('html').send(reference.page);
  });
  router.get('/docs/page.js', (_request, response) => void response.type('js').send(reference.script));
  // The path contains a hash of the files, so responses can be cached forever. Every client that runs scripts accepts gzip.
  router.get(`${reference.folder}/{*file}`, (request, response, next) => {
    const file = reference.files.get(request.path.slice(reference.folder.length + 1));
    if (!file) return next();
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type('js');
    sendGzip(response, file);
  });
  return router.use(guidePages(kit, join(folder, 'guides')));
}

/** Returns the servers of the document. Without BASE_URL, a client uses the address that served the document. */
function serversOf({ servers }: OpenApi, baseUrl: string | undefined): OpenApi['servers'] {
  return baseUrl === undefined ? servers : [{ url: baseUrl }];
}
