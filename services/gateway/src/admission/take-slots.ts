import { type Caller } from '@drawbridge/rpc';
import { type Request, type RequestHandler, type Response } from 'express';
import { clientNetwork } from '../auth/client-network.js';
import { type SecretCookie } from '../auth/secret-cookies.js';
import { contextOf } from '../http/request-context.js';
import { operationOf } from '../http/route-table.js';
import { type Kind, PAGE_KINDS, type Subject } from './limits.js';
import { slotsOf } from './slots.js';

type Work = readonly [Kind, Subject];

/** Runs the next handler when the request has its slots. Where `workOf` returns nothing it needs none. */
export function takeSlots(workOf: (request: Request, response: Response) => Work | undefined): RequestHandler {
  return async (request, response, next) => {
    const work = workOf(request as Request, response);
    if (work) await slotsOf(response).take(...work);
    if (!response.closed) next();
  };
}

/** Without a caller an operation takes no slots: it is public, and asks no service for much. */
export function ofOperation(_request: Request, response: Response): Work | undefined {
  const { caller } = contextOf(response);
  return caller && [operationOf(response).kind, toSubject(caller)];
}

/** Requests without the cookie of a browser take turns as one browser. */
export function ofPage(browser: Pick<SecretCookie, 'read'>): (request: Request, response: Response) => Work {
  return (request, response) => {
    const { caller, address } = contextOf(response);
    const asked = `${request.method} ${request.baseUrl}${request.path}`;
    const [, kind] = PAGE_KINDS.find(([pattern]) => pattern.test(asked))!;
    return [kind, { visitor: caller?.userId ?? clientNetwork(address), browser: browser.read(request) }];
  };
}

export function toSubject({ orgId, userId, keyId, sessionId }: Caller): Subject {
  return { organization: orgId || userId, credential: keyId ?? sessionId };
}
