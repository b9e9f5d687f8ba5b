import type { Recorded } from './third-party.js';

/** Functions and actions with their names in the documentation. The description adds their namespace. */
const FUNCTIONS = /\/(delta|supportedTimeZones)$/;
const ACTIONS = /\/(sendMail|replyAll|reply|forward|move|getSchedule|copy|createLink)$/;
/** Actions with parameters that begin with a capital letter in the description. The service ignores the case. */
const CAPITALS = /\/microsoft\.graph\.(sendMail|replyAll|reply|forward|move|getSchedule)$/;

/**
 * Returns a request in the notation of Microsoft Graph's OpenAPI description, which differs from the documentation and omits annotations and derived
 * types. Tests compare the omitted parts with literal requests.
 */
export function toGraphNotation(request: Recorded): Recorded {
  const { pathname, searchParams } = new URL(request.url, 'http://third-party');
  const path = toPath(pathname, searchParams.get('token'));
  const query = toQuery(searchParams, pathname);
  const isContent = pathname.endsWith('/content');
  const isJson = request.headers['content-type'] === 'application/json' && request.body !== '';
  const body = isJson ? JSON.stringify(toBody(JSON.parse(request.body), path)) : request.body;
  return { ...request, url: query ? `${path}?${query}` : path, body: isContent ? '' : body };
}

function toPath(pathname: string, token: string | null): string {
  const path = pathname
    .replace(/\/(?:me|sites\/[^/]+)\/drive\//, '/drives/own/')
    .replace(/\/(root|items\/[^/:]+):\/[^:]+:?/, '/$1')
    .replace(/(\/drives\/[^/]+)\/root(?=\/|$)/, '$1/items/root')
    .replace(/\/search\(q=/, '/microsoft.graph.search(q=')
    .replace(ACTIONS, '/microsoft.graph.$1');
  return path.replace(FUNCTIONS, `/microsoft.graph.$1(${token === null ? '' : `token='${token}'`})`);
}

/** Repeats `$select` for each field, so that each field is compared with the fields in the description. */
function toQuery(parameters: URLSearchParams, pathname: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of parameters) {
    if (name === '$select') for (const field of value.split(',')) query.append(name, field);
    else if (name === '$orderby') query.append(name, value.split('/')[0] ?? '');
    else if (name === 'search' && pathname.endsWith('/sites')) query.append('$search', value);
    else if (name !== 'token' && !name.startsWith('@')) query.append(name, value);
  }
  return query.toString();
}

/** The description contains only the base type of attachments, without their content. */
function toBody(body: unknown, path: string): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key.startsWith('@') || key.endsWith('@odata.bind') || key === 'contentBytes' ? undefined : value,
  );
  if (!CAPITALS.test(path) || typeof plain !== 'object' || plain === null) return plain;
  return Object.fromEntries(
    Object.entries(plain).map(([key, value]) => [key.charAt(0).toUpperCase() + key.slice(1), value]),
  );
}
