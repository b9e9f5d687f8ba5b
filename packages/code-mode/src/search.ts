import MiniSearch, { type SearchOptions } from 'minisearch';
import { type ApiTool, pathOf } from './api-tool.js';
import { callOf } from './declarations.js';
import { inSlices } from './in-slices.js';
import { toLine } from './source-text.js';
import { SYNONYMS } from './synonyms.js';

/** A tool in the results of a search. */
export interface FoundTool {
  path: string;
  /** The signature of a call on one line. */
  call: string;
  description: string;
  /** One of read, write and destructive. */
  effect: string;
}

export interface SearchIndex {
  /**
   * Returns the tools that match any word of the query, best match first. Only the first 200 characters of the query are used. Returns 10 tools by
   * default, and at most 20.
   */
  search(query: string, limit?: number): FoundTool[];
}

const MAX_QUERY = 200;
const MAX_WORDS = 8;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 20;
const MAX_INDEXED = 1_000;
const MAX_DESCRIPTION = 200;
/**
 * Minimum lengths of words that match with one and with two changed letters. Shorter words have too many similar words. Two swapped letters count as
 * two changes.
 */
const [FUZZY_LENGTH, TWO_CHANGES_LENGTH] = [4, 6];
const WORD = /\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\p{N}+/gu;
/** Words that most descriptions contain. Scoring all tools for each of these words would take most of the time of a search. */
const COMMON = new Set(
  'a all an and are as at by for from i in is it its me my of on or that the their this to with'.split(' '),
);
const FIELDS = ['name', 'integration', 'synonyms', 'text'] as const;
const BOOST = { name: 4, integration: 3, synonyms: 1.5, text: 1 };

type Entry = Record<(typeof FIELDS)[number], string> & { id: number };

/**
 * Builds an index for searching tools by words, which tolerates typing errors. It takes about a second for 5,000 tools, so the index of a server
 * should be cached.
 */
export async function searchIndex(tools: readonly ApiTool[]): Promise<SearchIndex> {
  const index = new MiniSearch<Entry>({ fields: [...FIELDS], tokenize: toWords, processTerm: (word) => word });
  await inSlices(tools, (tool, id) => index.add(toEntry(tool, id)));
  return {
    search(query, limit = DEFAULT_LIMIT) {
      const words = [...new Set(toWords(query.slice(0, MAX_QUERY)))].slice(0, MAX_WORDS);
      const most = Math.min(Math.max(Math.trunc(limit) || 0, 1), MAX_LIMIT);
      const found = index.search(words.join(' '), OPTIONS);
      return found.slice(0, most).map(({ id }) => toFound(tools[id as number]!));
    },
  };
}

const OPTIONS: SearchOptions = {
  boost: BOOST,
  prefix: (word) => word.length > 2,
  fuzzy: (word) => word.length >= FUZZY_LENGTH && (word.length < TWO_CHANGES_LENGTH ? 1 : 2),
  weights: { prefix: 0.6, fuzzy: 0.3 },
};

function toEntry(tool: ApiTool, id: number): Entry {
  const properties = Object.keys(tool.inputSchema.properties ?? {}).join(' ');
  const name = cut(`${tool.actionName} ${tool.displayName}`);
  return {
    id,
    name,
    integration: cut(`${tool.alias} ${tool.integrationName} ${tool.integrationDisplayName}`),
    synonyms: [...new Set(toWords(name).flatMap((word) => SYNONYMS.get(word) ?? []))].join(' '),
    text: `${cut(tool.description)} ${cut(properties)}`,
  };
}

const cut = (text: string): string => text.slice(0, MAX_INDEXED);

/** Splits a string into words. `sendMessage`, `send_message` and `Send a message` return the same words. */
function toWords(text: string): string[] {
  const words = (text.match(WORD) ?? []).map((word) => word.toLowerCase());
  return words.filter((word) => !COMMON.has(word));
}

function toFound(tool: ApiTool): FoundTool {
  return {
    path: pathOf(tool),
    call: callOf(tool),
    description: toLine(tool.description || tool.displayName, MAX_DESCRIPTION),
    effect: tool.effect,
  };
}
