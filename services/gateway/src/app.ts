import { join } from 'node:path';
import { type Logger, type Network, referenceClock } from '@drawbridge/rpc';
import express, { type Express, type Request, type RequestHandler, Router } from 'express';
import { type RateLimits } from './admission/rate-limits.js';
import { ofOperation, ofPage, type Slots, takeSlots } from './admission/request-slots.js';
import { admit, renewingCallers, requireCaller } from './auth/admit.js';
import { keyHolders, sessionHolders } from './auth/token-look-ups.js';
import { secretCookie } from './auth/secret-cookies.js';
import { openClients } from './clients.js';
import { RegisterRoutes } from './gen/routes.js';
import { documents, readOpenApi } from './http/documents.js';
import { sendError } from './http/send-error.js';
import { health } from './http/health.js';
import { jsonBody } from './http/json-body.js';
import { keptAnswers } from './http/kept-answers.js';
import { refuseChangesByPrograms, refusePrograms, requireValidHeaders } from './http/require-headers.js';
import { requestContext } from './http/request-context.js';
import { directRoute, type OpenApi, operationOf, operationRoutes, routeTable } from './http/route-table.js';
import { type Site } from './http/site.js';
import { hookDoor } from './hooks/hooks.js';
import { serverCode } from './mcp/code/server-code.js';
import { mcpDoor } from './mcp/door.js';
import { endpoints, OAUTH_PATHS } from './mcp/oauth/endpoints.js';
import { metadata } from './mcp/oauth/metadata.js';
import { sendOAuthError } from './mcp/oauth/parameters.js';
import { surfaces } from './mcp/tool-list.js';
import { browserError, pageError } from './pages/kit/page-error.js';
import { readStylesheet } from './pages/kit/stylesheet.js';
import { PAGE_PATHS, pages } from './pages/pages.js';
import { ActionsController } from './rest/actions.controller.js';
import { executeDirectly } from './rest/execute-directly.js';

/** The path of most requests. Requests to it skip the Express router, which would cost more than their handlers. */
const EXECUTE = '/api/v1/actions/execute';
const DOCUMENTS = new Set(['/', '/favicon.ico', '/healthz', '/readyz', '/docs', '/api/v1/openapi.json']);

interface AppOptions {
  /** Number of proxies in front of the gateway with trusted forwarding headers. */
  trustProxy: number;
  site: Site;
  log: Logger;
  network: Network;
  limits: RateLimits;
  slots: Slots;
  /** Aborts when the process exits now. It cancels the requests in progress. */
  closing: AbortSignal;
  /** Aborts when the process accepts no further requests. It ends open-ended streams. */
  draining: AbortSignal;
}

/** Builds the Express app. A request passes the middleware in the order below. */
export function createApp({ trustProxy, site, log, network, limits, slots, closing, draining }: AppOptions): Express {
  const clients = openClients(renewingCallers(network));
  const document = readOpenApi(join(import.meta.dirname, '../openapi.json'));
  const cookie = secretCookie(site, 'session');
  const { keys, sessions } = openClients(network);
  const holders = { key: keyHolders(keys), session: sessionHolders(sessions) };
  const stylesheet = readStylesheet(join(import.meta.dirname, '../pages.css'));
  const cookies = { cookie, flowCookie: secretCookie(site, 'sign-in') };
  const kit = { clients, ...cookies, site, stylesheet, limits };
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('json replacer', (_key: string, value: unknown) => value ?? null); // an absent optional field is null in JSON
  const surfaceOf = surfaces(clients);
  const code = serverCode({ clients, surfaceOf });
  Object.assign(app.locals, { clients, site, code, slots, draining });
  const admission = admit({ holders, cookie, site, limits, sessions: clients.sessions, isFree: isDocument });
  const steps = stepsOf(document, slots, new ActionsController(clients, site, code));

  app.use(requestContext(log, closing));
  app.use(directRoute('POST', EXECUTE, [admission, requireValidHeaders, ...steps.ofExecution]));
  app.use(hookDoor(clients.hooks, limits));
  app.use(mcpDoor({ clients, surfaceOf, limits, slots, site, version: document.info.version, draining }));
  app.use(admission);
  app.use(requireValidHeaders).use(PAGE_PATHS, refusePrograms);
  app.use('/api/v1/approvals', refuseChangesByPrograms);
  app.use([...PAGE_PATHS, ...OAUTH_PATHS], takeSlots(ofPage(secretCookie(site, 'browser'))));
  const beside = Router().use(
    health(network, referenceClock),
    documents(document, kit, join(import.meta.dirname, '..')),
    metadata({ clients, site }),
    pages(kit),
  );
  beside.use('/oauth', endpoints({ clients, limits, site }));
  app.use((request, response, next) => (isOperation(request) ? next() : beside(request, response, next)));
  app.use(...steps.ofAll);
  app.use(OAUTH_PATHS, sendOAuthError);
  app.use(PAGE_PATHS, pageError(kit));
  app.use(browserError(kit)).use(sendError);
  return app;
}

/** Returns the handlers of requests that `admission` has accepted: `ofAll` for every operation, and `ofExecution` for the path EXECUTE. */
function stepsOf(
  document: OpenApi,
  slots: Slots,
  actions: ActionsController,
): Record<'ofAll' | 'ofExecution', RequestHandler[]> {
  const first = [routeTable(document), unlessPublic(requireCaller), takeSlots(ofOperation), jsonBody(slots)];
  const operations = operationRoutes(RegisterRoutes);
  return {
    ofAll: [...first, keptAnswers(), operations],
    ofExecution: [...first, executeDirectly(document, actions), operations],
  };
}

function isDocument({ path }: Request): boolean {
  return DOCUMENTS.has(path) || path.startsWith('/docs/') || path.startsWith('/assets/');
}

/** Returns whether the route table serves the path. All other paths belong to documents, pages and OAuth. */
function isOperation(request: Request): boolean {
  return request.path.startsWith('/api/') && !isDocument(request);
}

function unlessPublic(handler: RequestHandler): RequestHandler {
  return (request, response, next) => (operationOf(response).isPublic ? next() : handler(request, response, next));
}
