import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { createRequire } from 'node:module';
import { Router } from 'express';
import { type OpenApi } from './route-table.js';
import { type Site } from './site.js';
import { ICON } from '../pages/kit/icon.js';

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const ASSETS_KEPT = 'public, max-age=86400';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Drawbridge API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body><div id="page"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body></html>`;

const SCRIPT = `SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#page', deepLinking: true, tryItOutEnabled: true });`;

const CONTENT_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

export function readOpenApi(file: string): OpenApi {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Serves the OpenAPI document and a page that displays it. All responses share one copy in memory: they require no key, so a client that requests
 * many and reads none must not hold file handles or memory.
 */
export function documents(document: OpenApi, { baseUrl }: Site): Router {
  const bytes = Buffer.from(JSON.stringify({ ...document, servers: serversOf(document, baseUrl) }));
  const router = Router();
  router.get('/api/v1/openapi.json', (_request, response) => void response.type('json').send(bytes));
  router.get('/favicon.ico', (_request, response) => {
    response.set('Cache-Control', ASSETS_KEPT).type('svg').send(ICON);
  });
  router.get('/docs', (_request, response) => {
    response.setHeader('Content-Security-Policy', CONTENT_POLICY);
    response.type('html').send(PAGE);
  });
  router.get('/docs/page.js', (_request, response) => void response.type('js').send(SCRIPT));
  for (const name of ASSETS) {
    const asset = readFileSync(join(swaggerUi, name));
    router.get(`/docs/assets/${name}`, (_request, response) => {
      response.set('Cache-Control', ASSETS_KEPT).type(extname(name)).send(asset);
    });
  }
  return router;
}

/** Without BASE_URL a client uses the address that served the document. */
function serversOf({ servers }: OpenApi, baseUrl: string | undefined): OpenApi['servers'] {
  return baseUrl === undefined ? servers : [{ url: baseUrl }];
}
