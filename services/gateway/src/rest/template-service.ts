import { MAX_PROBLEMS } from '@drawbridge/contracts';
import { ExpressTemplateService, type FieldErrors, type TsoaRoute, ValidateError } from '@tsoa/runtime';
import { type Request } from 'express';
import { Validation } from './validation.js';

interface Call {
  args: Record<string, TsoaRoute.ParameterSchema>;
  request: Request;
  response: unknown;
}

/** How the generated routes read a request: every problem of path, query and body in one answer, unknown query keys too. */
export class TemplateService extends ExpressTemplateService {
  private readonly validation: Validation;

  constructor(...[models, config]: ConstructorParameters<typeof ExpressTemplateService>) {
    super(models, config);
    this.validation = new Validation(models, config);
  }

  override getValidatedArgs({ args, request }: Call): unknown[] {
    const problems = firstProblems();
    const { query } = request;
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

/** Takes as many as an error names: tsoa sets one for each item of a list and each unknown key. */
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
      throw new Error(`No route of ours takes a parameter from ${param.in}`);
  }
}

/** An operation that declares its query as one object has them refused by that object's schema. */
function unknownKeys(args: Call['args'], query: Request['query']): string[] {
  const params = Object.values(args);
  if (params.some((param) => param.in === 'queries')) return [];
  const known = params.filter((param) => param.in === 'query').map(({ name }) => name);
  return Object.keys(query).filter((key) => !known.includes(key));
}
