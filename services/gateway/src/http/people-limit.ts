import { TenantLimiter } from '@drawbridge/turns';
import { type Request, type RequestHandler } from 'express';
import { clientNetwork } from '../auth/client-network.js';
import { type SecretCookie } from '../auth/secret-cookies.js';
import { keepTurn, leaveTurns, waitForTurn } from './concurrency-limit.js';
import { readBody } from './read-body.js';
import { contextOf } from './request-context.js';

/**
 * Of one account, or one network of strangers; the next wait. What programs ask is apart: what they wait for may be away when what people do is
 * not. Together fewer than a service has database connections.
 */
const REQUESTS = { atOnce: 6, waiting: 200 };
const OF_PROGRAMS = { atOnce: 3, waiting: 200 };
/** What waits for a third party, apart: whoever's is silent keeps nobody from what there is here. */
const LONG_REQUESTS = { atOnce: 100, waiting: 200 };
const BY_PROGRAM = /^\S+ \/oauth\/(?!authorize)/i;
const LONG = /^(\S+ \/(sign-in\/with\/|connect\/callback)|POST \/connect\/(?!portal\/))/i;

/**
 * The share of who asks for pages, or speaks OAuth: of no organization's requests, though what they ask waits for the same connections to
 * databases.
 */
export function peopleLimit(browser: Pick<SecretCookie, 'read'>): RequestHandler {
  const [requests, ofPrograms] = [new TenantLimiter(REQUESTS), new TenantLimiter(OF_PROGRAMS)];
  const longRequests = new TenantLimiter(LONG_REQUESTS);
  const turnsOf = (asked: string): TenantLimiter => {
    if (LONG.test(asked)) return longRequests;
    return BY_PROGRAM.test(asked) ? ofPrograms : requests;
  };
  return async (request, response, next) => {
    const { method, baseUrl, path } = request;
    const { caller, address, signal } = contextOf(response);
    const who = caller ? caller.userId : clientNetwork(address);
    const turns = turnsOf(`${method} ${baseUrl}${path}`);
    // Clients without the cookie of a browser wait for each other first.
    const by = browser.read(request);
    const takeTurn = async (): Promise<void> => keepTurn(response, await waitForTurn(turns, who, signal, by));
    response.locals['takeTurn'] = takeTurn;
    await takeTurn();
    if (!response.closed) next();
  };
}

/** For what others are waited for: it holds no turn meanwhile that somebody else of the same network needs. */
export async function outOfTurn<T>({ res: response }: Request, work: () => Promise<T>): Promise<T> {
  leaveTurns(response!);
  try {
    return await work();
  } finally {
    await response!.locals['takeTurn']();
  }
}

/** As `readBody`; whoever sends slowly is waited for out of turn. */
export const readBodyOutOfTurn = (request: Request, limit: number): Promise<Buffer> =>
  outOfTurn(request, () => readBody(request, { limit, makeRoom: async () => undefined }));
