const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False'.split(
    ' ',
  ),
);

/** `getOAuthStatus` becomes `get_oauth_status`. A keyword gets an underscore. */
export function snake(name) {
  const words = name
    .replaceAll('OAuth', 'Oauth')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2');
  const text = words.toLowerCase();
  return KEYWORDS.has(text) ? `${text}_` : text;
}

export const toTypeName = (resource) => resource[0].toUpperCase() + resource.slice(1);

/** A docstring, indented by eight spaces. */
export function docstring(lines) {
  const text = lines.join('\n').replaceAll('\\', '\\\\').replaceAll('"""', "'''").split('\n');
  return [`        """${text[0]}`, ...text.slice(1).map((line) => `        ${line}`.trimEnd()), '        """'].join(
    '\n',
  );
}
