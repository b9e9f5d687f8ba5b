import { TenantLimiter } from '@drawbridge/turns';
import { type RequestHandler, type Response } from 'express';
import { keepTurn, waitForTurn } from '../http/concurrency-limit.js';
import { contextOf } from '../http/request-context.js';
import { type Agent } from './agents.js';

/** Messages that are read or worked on at once, fewer than their organization has turns: the others are for others. */
const OF_END_USER = { atOnce: 30, waiting: 300 };

/** One end user's share of the organization's: at an open server that is anybody, and a body may come slowly. */
export function endUserLimit(): RequestHandler {
  const turns = new TenantLimiter(OF_END_USER);
  return async (_request, response, next) => {
    const endUser = endUserOf(response);
    if (endUser !== undefined) keepTurn(response, await waitForTurn(turns, endUser, contextOf(response).signal));
    if (!response.closed) next();
  };
}

/** Undefined for a bearer that names nobody: it is the organization's own. */
export function endUserOf(response: Response): string | undefined {
  const agent: Agent = response.locals['agent'];
  return agent.bearer.endUserRecordId;
}
