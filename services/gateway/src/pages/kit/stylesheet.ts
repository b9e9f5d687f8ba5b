import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type RequestHandler } from 'express';

/** The one stylesheet, at an address that changes with it: a browser keeps it for good. */
export interface Stylesheet {
  path: string;
  serve: RequestHandler;
}

export function readStylesheet(file: string): Stylesheet {
  const bytes = readFileSync(file);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return {
    path: `/assets/pages-${hash}.css`,
    serve: (_request, response) =>
      void response.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(bytes),
  };
}
