import { isTraced, openClientSpan } from '@drawbridge/rpc';
import type pg from 'pg';

/** Longer statements are cut, because a list of a thousand rows has a parameter for each value. */
const MAX_TEXT = 2_000;

type Span = NonNullable<ReturnType<typeof openClientSpan>>;

/**
 * Records each statement of a connection as a client span of the active trace, if traces are collected. The attributes follow
 * https://opentelemetry.io/docs/specs/semconv/database/postgresql/. Values are never recorded, because they are parameters and not part of the
 * statement.
 */
export function traceQueries(client: pg.ClientBase): void {
  if (!isTraced()) return;
  const query: (...given: unknown[]) => unknown = client.query.bind(client);
  const traced = (...given: unknown[]): unknown => {
    const span = openClientSpan(describe(given[0]));
    if (!span) return query(...given);
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const end = (error: Error | undefined, result: unknown): void => {
        endSpan(span, error);
        callback(error, result);
      };
      return query(...given.slice(0, -1), end);
    }
    const result = query(...given);
    if (!(result instanceof Promise)) endSpan(span);
    else
      result.then(
        () => endSpan(span),
        (error: unknown) => endSpan(span, error),
      );
    return result;
  };
  Object.defineProperty(client, 'query', { value: traced });
}

function describe(statement: unknown): Parameters<typeof openClientSpan>[0] {
  const text = typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text ?? '');
  const operation = /[a-z]+/i.exec(text)?.[0]?.toUpperCase() ?? 'QUERY';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': text.slice(0, MAX_TEXT),
  };
  return { name: operation, attributes };
}

function endSpan(span: Span, error?: unknown): void {
  if (error) {
    const { code } = error as { code?: string };
    span.setAttribute('error.type', code ?? 'error').setStatus({ code: 2 });
  }
  span.end();
}
