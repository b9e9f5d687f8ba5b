import { type FieldErrors, type TsoaRoute, ValidationService } from '@tsoa/runtime';

type ArgumentsOf<M extends keyof ValidationService> = Parameters<ValidationService[M]>;

/**
 * tsoa's validation with lengths in code points, and unions of two kinds alone: a type or nothing, and one of a set. tsoa
 * tries each member of a union on a copy of the value, which it quotes in its message: as costly as the value is large.
 */
export class Validation extends ValidationService {
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
    return oneOf(
      given.flatMap(({ enums = [] }) => enums),
      value,
      { problems, path: (parent ?? '') + name },
    );
  }

  /** tsoa's forgets what the list is in. */
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

const isNull = ({ enums }: TsoaRoute.PropertySchema): boolean => enums?.length === 1 && enums[0] === null;

function oneOf(
  set: TsoaRoute.PropertySchema['enums'] & object,
  value: unknown,
  { problems, path }: { problems: FieldErrors; path: string },
): unknown {
  if (set.some((member) => member === value)) return value;
  problems[path] = { message: `must be one of ${set.join(', ')}`, value };
  return undefined;
}

function lengthProblem(text: string, min = 0, max = Infinity): string | undefined {
  if (codePoints(text, min) < min) return `minLength ${min}`;
  return codePoints(text, max) > max ? `maxLength ${max}` : undefined;
}

/** Exact where it decides: a text of more than twice as many units has more code points than `around`. */
function codePoints(text: string, around: number): number {
  return text.length > 2 * around || text.length < around ? text.length : [...text].length;
}
