import { Readable } from 'node:stream';
import { MAX_PROBLEMS } from '@drawbridge/contracts';
import {
  Controller,
  ExpressTemplateService,
  type FieldErrors,
  type TsoaRoute,
  ValidateError,
  ValidationService,
} from '@tsoa/runtime';
import { type Request } from 'express';
import { type Clients } from '../clients.js';
import { type Site } from '../http/site.js';
import { type ServerCode } from '../mcp/code/server-code.js';

/** The base class of every controller. Its dependencies are the clients of all services, the gateway's base URL, and the code API of MCP servers. */
export class ApiController extends Controller {
  constructor(
    protected readonly services: Clients,
    protected readonly site: Site,
    protected readonly code: ServerCode,
  ) {
    super();
  }

  /** Returns a function that converts a path to an absolute URL. */
  protected addressOf(request: Request): (path: string) => string {
    return (path) => this.site.address(request, path);
  }

  /** Returns a response body that is already JSON text. It is a stream, because tsoa sends streams unchanged and serializes all other values. */
  protected text<Answer>(json: string): Answer {
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
    return Readable.from([json]) as unknown as Answer;
  }
}

type ControllerClass<T> = new (services: Clients, site: Site, code: ServerCode) => T;

/** Creates a controller for each request of the generated routes. */
export function iocContainer(request: Request): { get<T>(controller: ControllerClass<T>): T } {
  const { clients, site, code } = request.app.locals as { clients: Clients; site: Site; code: ServerCode };
  return { get: (Controller) => new Controller(clients, site, code) };
}

interface Call {
  args: Record<string, TsoaRoute.ParameterSchema>;
  request: Request;
  response: unknown;
}

/** Reads the requests of the generated routes. Reports every problem of path, query and body in one response, including unknown query keys. */
export class TemplateService extends ExpressTemplateService {
  private readonly validation: Validation;

  constructor(...[models, config]: ConstructorParameters<typeof ExpressTemplateService>) {
    super(models, config);
    this.validation = new Validation(models, config);
  }

  override getValidatedArgs({ args, request }: Call): unknown[] {
    const problems = firstProblems();
    const { query } = request;
    this.validation.dropsNulls = request.method === 'POST';
    const values = Object.values(args).map((param) => {
      if (param.in === 'request') return request;
      const given = valueOf(param, request, query);
      return this.validation.ValidateParam(param, given, param.name, problems, param.in === 'body');
    });
    for (const key of unknownKeys(args, query)) problems[`query.${key}`] = { message: 'unknown key' };
    if (Object.keys(problems).length > 0) throw new ValidateError(problems, '');
    return values;
  }
}

/** Returns an object that ignores problems beyond the maximum of an error response. tsoa reports one for each list item and each unknown key. */
function firstProblems(): FieldErrors {
  let left = MAX_PROBLEMS;
  return new Proxy<FieldErrors>(
    {},
    {
      set(problems, path: string, problem) {
        if (left-- > 0) problems[path] = problem;
        return true;
      },
    },
  );
}

function valueOf(param: TsoaRoute.ParameterSchema, request: Request, query: Request['query']): unknown {
  switch (param.in) {
    case 'path':
      return request.params[param.name];
    case 'query':
      return query[param.name];
    case 'queries':
      return query;
    case 'body':
      return request.body;
    default:
      throw new Error(`Routes cannot have a parameter in ${param.in}`);
  }
}

/**
 * Returns the unknown query keys. Skips operations that declare their query as one object, because the schema of that object already rejects unknown
 * keys.
 */
function unknownKeys(args: Call['args'], query: Request['query']): string[] {
  const params = Object.values(args);
  if (params.some((param) => param.in === 'queries')) return [];
  const known = params.filter((param) => param.in === 'query').map(({ name }) => name);
  return Object.keys(query).filter((key) => !known.includes(key));
}

type ArgumentsOf<M extends keyof ValidationService> = Parameters<ValidationService[M]>;

/**
 * Validates as tsoa does, but counts lengths in code points and supports only two kinds of unions: an optional type, and a set of literals. tsoa
 * tries each member of a union on a copy of the value and quotes the value in its message, which costs time in proportion to the value.
 */
class Validation extends ValidationService {
  /** True for a create request, in which null for an optional field is the same as omitting it. In an update, null may remove a value. */
  dropsNulls = false;

  override validateModel(...[input]: ArgumentsOf<'validateModel'>): unknown {
    const { value, modelDefinition } = input;
    if (modelDefinition.dataType === 'refObject') this.dropNulls(value, modelDefinition.properties);
    return super.validateModel(input);
  }

  override validateNestedObjectLiteral(
    ...[name, value, problems, isBody, properties, rest, parent]: ArgumentsOf<'validateNestedObjectLiteral'>
  ): unknown {
    this.dropNulls(value, properties ?? {});
    return super.validateNestedObjectLiteral(name, value, problems, isBody, properties, rest, parent);
  }

  private dropNulls(value: unknown, properties: Record<string, TsoaRoute.PropertySchema>): void {
    if (!this.dropsNulls || typeof value !== 'object' || value === null) return;
    const given = value as Record<string, unknown>;
    for (const [key, property] of Object.entries(properties)) {
      if (given[key] === null && !property.required && !takesNull(property)) delete given[key];
    }
  }

  override validateUnion(...[name, value, problems, isBody, property, parent]: ArgumentsOf<'validateUnion'>): unknown {
    const members = property.subSchemas ?? [];
    if (value === undefined && members.some(({ dataType }) => dataType === 'undefined')) return undefined;
    if (value === null && members.some(isNull)) return null;
    const given = members.filter((member) => member.dataType !== 'undefined' && !isNull(member));
    const [only] = given;
    if (only && given.length === 1) {
      const validators = { ...property.validators, ...only.validators };
      return this.ValidateParam({ ...only, validators }, value, name, problems, isBody, parent);
    }
    const set = given.flatMap(({ enums = [] }) => enums);
    if (set.some((member) => member === value)) return value;
    problems[(parent ?? '') + name] = { message: `must be one of ${set.join(', ')}`, value };
    return undefined;
  }

  /** Adds the path of the list to the paths of problems, which tsoa omits for a list within another object. */
  override validateArray(...[name, value, problems, isBody, schema, validators, parent]: ArgumentsOf<'validateArray'>) {
    return super.validateArray((parent ?? '') + name, value, problems, isBody, schema, validators, '');
  }

  override validateString(...[name, value, problems, validators, parent]: ArgumentsOf<'validateString'>) {
    const { minLength, maxLength, ...rest } = validators ?? {};
    const wrong = typeof value === 'string' ? lengthProblem(value, minLength?.value, maxLength?.value) : undefined;
    if (wrong === undefined) return super.validateString(name, value, problems, rest, parent);
    problems[(parent ?? '') + name] = { message: wrong, value };
  }
}

const takesNull = ({ dataType, subSchemas = [] }: TsoaRoute.PropertySchema): boolean =>
  dataType === 'any' || subSchemas.some(isNull);

const isNull = ({ enums }: TsoaRoute.PropertySchema): boolean => enums?.length === 1 && enums[0] === null;

function lengthProblem(text: string, min = 0, max = Infinity): string | undefined {
  if (codePoints(text, min) < min) return `minLength ${min}`;
  return codePoints(text, max) > max ? `maxLength ${max}` : undefined;
}

/** Counts code points exactly only if their number can be near `around`, because counting is slow: a code point has one or two UTF-16 units. */
function codePoints(text: string, around: number): number {
  return text.length > 2 * around || text.length < around ? text.length : [...text].length;
}
