import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createRequire } from 'node:module';
import express, { Router } from 'express';
import { type OpenApi } from './route-table.js';

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

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

/** The OpenAPI document and a page that a person can read it on. */
export function documents(document: OpenApi): Router {
  const text = JSON.stringify(document);
  const router = Router();
  router.get('/api/v1/openapi.json', (_request, response) => void response.type('json').send(text));
  // For who opens the address in a browser; a program hears 404. The header is not parsed: 16 kB of it would be costly.
  router.get('/', (request, response, next) => {
    if (request.get('accept')?.includes('text/html')) response.redirect('/docs');
    else next();
  });
  router.get('/docs', (_request, response) => {
    response.setHeader('Content-Security-Policy', CONTENT_POLICY);
    response.type('html').send(PAGE);
  });
  router.get('/docs/page.js', (_request, response) => void response.type('js').send(SCRIPT));
  router.use('/docs/assets', express.static(swaggerUi, { index: false, maxAge: '1d' }));
  return router;
}
