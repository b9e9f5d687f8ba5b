import { ApiError } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Request, type RequestHandler, type Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 60;

// Spec silent: what X-RateLimit-Limit says where there is no limit. The largest 32-bit integer reads everywhere.
const UNLIMITED = 2_147_483_647;

interface Window {
  limit: number;
  used: number;
  resetAt: number;
}

/**
 * Fixed windows of 60 s: by organization with a valid key, by client address without one.
 * Every response carries the three X-RateLimit headers; past the limit it is 429 RATE_LIMITED with Retry-After.
 */
export function rateLimit({ publicLimit, isFree }: RateLimitOptions): RequestHandler {
  // The plan says the limit, so the counter itself has none.
  const counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });

  return async (request, response, next) => {
    const holder: KeyHolder | undefined = response.locals['holder'];
    const name = holder ? `org ${holder.orgId}` : `address ${request.ip}`;
    const limit = Math.min(holder ? (holder.requestsPerMinute ?? UNLIMITED) : publicLimit, UNLIMITED);
    const free = isFree(request);
    const count = free ? await counter.get(name) : await counter.consume(name);
    const window = toWindow(limit, count ?? { consumedPoints: 0, msBeforeNext: WINDOW_SECONDS * 1000 });
    setHeaders(response, window);
    if (window.used > limit && !free) throw tooMany(response, window);
    next();
  };
}

interface RateLimitOptions {
  /** Infinity: none. */
  publicLimit: number;
  /** Requests that are shown the window but do not count in it. */
  isFree(request: Request): boolean;
}

function toWindow(limit: number, count: { consumedPoints: number; msBeforeNext: number }): Window {
  return { limit, used: count.consumedPoints, resetAt: Math.ceil((Date.now() + count.msBeforeNext) / 1000) };
}

function setHeaders(response: Response, { limit, used, resetAt }: Window): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', Math.max(0, limit - used));
  response.setHeader('X-RateLimit-Reset', resetAt);
}

function tooMany(response: Response, { limit, resetAt }: Window): ApiError {
  const seconds = Math.max(1, resetAt - Math.floor(Date.now() / 1000));
  response.setHeader('Retry-After', seconds);
  return new ApiError('RATE_LIMITED', `More than ${limit} requests in ${WINDOW_SECONDS} s; try again in ${seconds} s`);
}
