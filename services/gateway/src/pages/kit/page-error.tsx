import { type ApiError } from '@drawbridge/contracts';
import { type ErrorRequestHandler, type Request } from 'express';
import { acceptsHtml } from '../../http/accepts.js';
import { contextOf } from '../../http/request-context.js';
import { knownError, setRetryAfter } from '../../http/send-error.js';
import { type Words } from '../words/en.js';
import { wordsOf } from '../words/words-of.js';
import { type PageKit, showPage } from './page-kit.js';
import { Notice } from './parts.js';

/** Shows any error on a page, in the language of the browser. */
export function pageError(kit: PageKit): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const known = knownError(error, response, request.method);
    const words = wordsOf(request);
    setRetryAfter(response, known);
    const isAbsent = known.code === 'NOT_FOUND';
    const title = isAbsent ? words.errors.notFound : words.errors.title;
    const text = inWords(known, words);
    const body = (
      <section class="card">
        <h1>{title}</h1>
        {isAbsent ? <p class="lead">{text}</p> : <Notice kind="bad">{text}</Notice>}
        {known.status >= 500 && <p class="quiet">{words.errors.reference(contextOf(response).requestId)}</p>}
        {!isForEndUsers(request) && (
          <p>
            <a href={kit.site.path('/account')}>{words.errors.home}</a>
          </p>
        )}
      </section>
    );
    // The token in the URL must not be sent in a Referer header, not even to pages of this site.
    const referrer = request.query['token'] === undefined ? undefined : { 'Referrer-Policy': 'no-referrer' };
    showPage(kit, response, { status: known.status, title, body, words, headers: referrer });
  };
}

/** Shows an error on a page if the client is a browser. Requests to API paths and other clients get JSON instead. */
export function browserError(kit: PageKit): ErrorRequestHandler {
  const show = pageError(kit);
  return (error: unknown, request, response, next) => {
    const isPage = ['GET', 'HEAD'].includes(request.method) && acceptsHtml(request) && !OF_PROGRAMS.test(request.path);
    return isPage ? show(error, request, response, next) : next(error);
  };
}

const OF_PROGRAMS = /^\/(api|mcp|webhooks|oauth|\.well-known)(\/|$)/;

/** Returns whether the page is for end users, who open it by a link and have no account, so it has no link to sign-in. */
const isForEndUsers = ({ originalUrl }: Request): boolean => /^\/(connect|approvals|oauth)(?![^/?])/.test(originalUrl);

/** Returns the text of an error for a page. */
export function inWords({ code, details }: ApiError, { errors }: Words): string {
  const { retryAfter } = details;
  if (details['reason'] === 'outcome_unknown') return errors.outcomeUnknown;
  if (code === 'RATE_LIMITED' && typeof retryAfter === 'number') return errors.retryIn(Math.ceil(retryAfter / 60));
  if (code === 'TIMEOUT') return errors.UNAVAILABLE;
  return errors[EXPLAINED.find((one) => one === code) ?? 'INTERNAL'];
}

/** The codes that pages explain. The text of any other code is that of INTERNAL. */
const EXPLAINED = ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'] as const;
