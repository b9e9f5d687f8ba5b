// Expands comment tags of fields that ts-proto does not support:
//   @format uuid               adds the pattern of the format, because the format alone is only documentation
//   @items T                   sets the type of the items of a ListValue
//   @nullable                  the field may be null in a body, with which a PATCH resets it
//   @like Message.field_name   adds the tags of that field, including tags that it has by a `@like`. Therefore each limit, pattern and default
//                              is declared only once. In `…Changes` the default is omitted, because a change leaves omitted fields unchanged
// The declarations of a message are also generated as values: `PageDefaults`, `ExecuteActionRequestMaxLength`, `WorkspaceChangesNullable`.
import { ID_PATTERN } from '@drawbridge/contracts';

export const UUID_TYPE = `/**\n * @format uuid\n * @pattern ${ID_PATTERN}\n */\nexport type Uuid = string;\n`;

const MESSAGE = /^export interface (\w+) \{\n[^]*?^\}/gm;
const FIELD = /^ {2}\/\*\*\n([^]*?)^ {3}\*\/\n {2}(\w+)\??:/gm;
const LIMIT = /^@(minLength|maxLength|pattern|minimum|maximum|default) /;
const DEFAULT = '@default ';

/** Returns a type with the limits of a field, for a path parameter, which is not part of any message. `sources` are the expanded files. */
export function typeLike(name, place, sources) {
  const tags = new Map(sources.flatMap(fieldsOf)).get(place);
  if (!tags) throw new Error(noLimits(name, place));
  return `/**\n${tags.map((tag) => ` * ${tag}\n`).join('')} */\nexport type ${name} = string;\n`;
}

/** Expands the tags in all files that ts-proto wrote. Throws if a limit is declared twice, or if a `@like` refers to an unknown field. */
export function spellOut(sources) {
  const plain = sources.map((source) => source.replace(/^( *)\/\*\* (@.*) \*\/$/gm, '$1/**\n$1 * $2\n$1 */'));
  const declared = new Map(plain.flatMap(fieldsOf));
  requireOnce(declared);
  return plain.map((source) => withValues(withTypes(withLiked(source, declared)), declared));
}

/** Returns the fields that have tags: `['Page.limit', ['@isInt', '@minimum 1', …]]`. */
function fieldsOf(source) {
  return [...source.matchAll(MESSAGE)].flatMap(([text, message]) =>
    [...text.matchAll(FIELD)].map(([, comment, field]) => [`${message}.${field}`, comment.match(/@.*$/gm) ?? []]),
  );
}

/** Fields with the same name have the same meaning, so a second field with the same limit is a copy. */
function requireOnce(declared) {
  const seen = new Map();
  for (const [place, tags] of declared) {
    for (const tag of tags.filter((one) => LIMIT.test(one))) {
      const key = `${place.split('.')[1]} ${tag}`;
      if (seen.has(key))
        throw new Error(
          `${place} repeats ${tag} of ${seen.get(key)}. In one of the two comments, replace it by "// @like" and the other field, such as "// @like Message.field_name"`,
        );
      seen.set(key, place);
    }
  }
}

function withLiked(source, declared) {
  return source.replace(MESSAGE, (text, message) =>
    text.replace(/^( *\* )@like (\S+)\n/gm, (_line, indent, place) => {
      const tags = tagsOf(camelCase(place), declared);
      if (tags.length === 0) throw new Error(noLimits(message, place));
      const taken = message.endsWith('Changes') ? tags.filter((tag) => !tag.startsWith(DEFAULT)) : tags;
      return taken.map((tag) => `${indent}${tag}\n`).join('');
    }),
  );
}

/** Returns the error message for a field without limits that `user`, a type or a message, takes its limits from. */
function noLimits(user, place) {
  return `${user} takes its limits from ${place}, which has none. Name a field that exists and has tags such as "// @maxLength 200"`;
}

/** Returns the tags of a field, including those that it takes from another field. */
function tagsOf(place, declared, seen = []) {
  if (seen.includes(place)) throw new Error(`${place}: @like refers to itself`);
  return (declared.get(place) ?? []).flatMap((tag) => {
    const [, other] = /^@like (\S+)/.exec(tag) ?? [];
    return other ? tagsOf(camelCase(other), declared, [...seen, place]) : [tag];
  });
}

function withTypes(source) {
  return source
    .replace(/^( *\* )@format uuid$/gm, `$1@format uuid\n$1@pattern ${ID_PATTERN}`)
    .replace(/(@items (\w+)\n[^;]*?)Array<any>/g, '$1$2[]')
    .replace(/(@nullable\n[^]*?)undefined;/g, '$1null | undefined;')
    .replace(/(if \(message\.\w+) !== undefined\)/g, '$1 != null)');
}

function withValues(source, declared) {
  const values = [...source.matchAll(MESSAGE)].flatMap(([, message]) => {
    const fields = [...declared].filter(([place]) => place.startsWith(`${message}.`));
    return [
      valuesOf(`${message}Defaults`, '@default ', fields),
      valuesOf(`${message}MaxLength`, '@maxLength ', fields),
      nullableOf(message, fields),
    ].filter(Boolean);
  });
  return [source, ...values].join('\n');
}

function valuesOf(name, start, fields) {
  const entries = fields.flatMap(([place, tags]) =>
    tags.filter((tag) => tag.startsWith(start)).map((tag) => `${place.split('.')[1]}: ${tag.slice(start.length)}`),
  );
  return entries.length > 0 && `export const ${name} = { ${entries.join(', ')} } as const;\n`;
}

function nullableOf(message, fields) {
  if (!message.endsWith('Changes')) return undefined;
  const names = fields.filter(([, tags]) => tags.includes('@nullable')).map(([place]) => `'${place.split('.')[1]}'`);
  return `export const ${message}Nullable = [${names.join(', ')}] as const;\n`;
}

/** Returns a name of a proto in the form that ts-proto generates: `field_name` as `fieldName`. */
export function camelCase(place) {
  return place.replace(/_(\w)/g, (_match, letter) => letter.toUpperCase());
}
