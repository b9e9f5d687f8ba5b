import { type NextFunction, type Request, type Response, Router } from 'express';
import { acceptsHtml } from '../http/accepts.js';
import { type Asked, type PageAnswer, type PageKit, pageRoutes } from './kit/page-kit.js';

/**
 * Serves `/` to browsers: describes this server and links to its documents. It is public and reveals nothing about the installation. Other clients
 * get 404.
 */
export function startPage(kit: PageKit): Router {
  const router = Router();
  router.get('/', (request: Request, _response: Response, next: NextFunction) =>
    next(acceptsHtml(request) ? undefined : 'router'),
  );
  return router.use(pageRoutes(kit, [['get', '/', async (asked) => page(asked)]]));
}

/** The documents that the page links to, in this order. */
const DOCUMENTS = [
  ['guides', '/docs/guides'],
  ['reference', '/docs'],
  ['document', '/api/v1/openapi.json'],
  ['health', '/readyz'],
] as const;

function page({ words, path }: Asked): PageAnswer {
  const { start } = words;
  const body = (
    <>
      <section class="card">
        <h1>{start.title}</h1>
        <p class="lead">{start.lead}</p>
        <a class="button primary" href={path('/sign-in')}>
          {words.signIn.submit}
        </a>
        <ul class="links">
          {DOCUMENTS.map(([name, to]) => (
            <li>
              <a href={path(to)}>{start[name]}</a>
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>{start.isNew}</h2>
        <p class="quiet">{start.firstSignIn}</p>
        <pre>npm run -s admin -- user sign-in-link --email owner@localhost</pre>
      </section>
    </>
  );
  return { title: start.title, body, headers: { Vary: 'Accept, Accept-Language' } };
}
