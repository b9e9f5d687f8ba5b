import MiniSearch from 'minisearch';
import { type ApiTool, pathOf } from './api-tool.js';
import { callOf } from './declarations.js';
import { toLine } from './source-text.js';
import { SYNONYMS } from './synonyms.js';

/** A tool that a search found. */
export interface FoundTool {
  path: string;
  /** The signature of a call on one line. */
  call: string;
  description: string;
  /** read, write or destructive. */
  effect: string;
}

export interface SearchIndex {
  /** Returns the tools that match any word of the query, best first. Reads the first 200 characters of the query. Returns 10 by default, at most 20. */
  search(query: string, limit?: number): FoundTool[];
}

const MAX_QUERY = 200;
const MAX_WORDS = 12;
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 20;
const MAX_INDEXED = 1_000;
const MAX_DESCRIPTION = 200;
/** Shorter words have too many neighbours. */
const FUZZY_LENGTH = 4;
const WORD = /\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+|\p{N}+/gu;
const FIELDS = ['name', 'title', 'integration', 'properties', 'description'] as const;
const BOOST = { name: 4, title: 4, integration: 3, properties: 1, description: 1.5 };

type Entry = Record<(typeof FIELDS)[number], string> & { id: number };

/** Indexes tools for searches by words, with tolerance for typing errors. Takes about a second for 5,000 tools: keep the index of a surface. */
export function searchIndex(tools: readonly ApiTool[]): SearchIndex {
  const index = new MiniSearch<Entry>({ fields: [...FIELDS], tokenize: toWords, processTerm: (word) => word });
  index.addAll(tools.map(toEntry));
  return {
    search(query, limit = DEFAULT_LIMIT) {
      const words = [...new Set(toWords(query.slice(0, MAX_QUERY)))].slice(0, MAX_WORDS);
      const most = Math.min(Math.max(Math.trunc(limit) || 0, 1), MAX_LIMIT);
      const found = index.search({ combineWith: 'OR', queries: words.map(toQuery) });
      return found.slice(0, most).map(({ id }) => toFound(tools[id as number]!));
    },
  };
}

function toEntry(tool: ApiTool, id: number): Entry {
  const properties = Object.keys(tool.inputSchema.properties ?? {}).join(' ');
  return {
    id,
    name: tool.actionName.slice(0, MAX_INDEXED),
    title: tool.displayName.slice(0, MAX_INDEXED),
    integration: `${tool.alias} ${tool.integrationName} ${tool.integrationDisplayName}`.slice(0, MAX_INDEXED),
    properties: properties.slice(0, MAX_INDEXED),
    description: tool.description.slice(0, MAX_INDEXED),
  };
}

/** Splits texts such as `sendMessage`, `send_message` and `Send a message` alike. */
function toWords(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** Returns the query for a word, its beginnings, its misspellings and its synonyms, which count less. */
function toQuery(word: string) {
  const isLong = word.length >= FUZZY_LENGTH;
  const own = {
    queries: [word],
    fields: [...FIELDS],
    boost: BOOST,
    prefix: word.length > 1,
    ...(isLong && { fuzzy: word.length < 8 ? 1 : 2, maxFuzzy: 2 }),
    weights: { prefix: 0.6, fuzzy: 0.3 },
    tokenize: toWords,
  };
  const synonyms = (SYNONYMS.get(word) ?? []).map((synonym) => ({
    queries: [synonym],
    fields: [...FIELDS],
    boost: Object.fromEntries(FIELDS.map((field) => [field, BOOST[field] / 2])),
    prefix: false,
    fuzzy: false,
  }));
  return { combineWith: 'OR' as const, queries: [own, ...synonyms] };
}

function toFound(tool: ApiTool): FoundTool {
  return {
    path: pathOf(tool),
    call: callOf(tool),
    description: toLine(tool.description || tool.displayName, MAX_DESCRIPTION),
    effect: tool.effect,
  };
}
