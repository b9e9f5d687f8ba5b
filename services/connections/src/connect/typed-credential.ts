import { invalid } from '@drawbridge/contracts';
import { type Credential, type Piece } from '@drawbridge/piece-kit';
import { sizeProblems } from '../credential-size.js';

type TypedType = 'SECRET_TEXT' | 'BASIC_AUTH' | 'CUSTOM_AUTH';
type TypedCredential = Extract<Credential, { type: TypedType }>;

/** Converts the values of a form for that type. Throws VALIDATION_ERROR that names missing or oversized fields, never a value. */
export function typedCredential(piece: Piece, type: string, typed: Record<string, string>): TypedCredential {
  const { names, required } = fieldsOf(piece, type);
  const given = names.map((name) => [name, Object.hasOwn(typed, name) ? (typed[name] ?? '') : ''] as const);
  const filled = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const missing = required.filter((name) => filled[name] === undefined);
  const problems = { ...sizeProblems(filled), ...Object.fromEntries(missing.map((name) => [name, 'is required'])) };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  switch (type as TypedType) {
    case 'SECRET_TEXT':
      return { type: 'SECRET_TEXT', secretText: filled['secretText'] ?? '' };
    case 'BASIC_AUTH':
      return { type: 'BASIC_AUTH', username: filled['username'] ?? '', password: filled['password'] ?? '' };
    case 'CUSTOM_AUTH':
      return { type: 'CUSTOM_AUTH', props: filled };
  }
}

/** Returns the values that no message may contain, in any encoding. */
export function secretsOf(credential: TypedCredential): string[] {
  switch (credential.type) {
    case 'SECRET_TEXT':
      return [credential.secretText];
    case 'BASIC_AUTH':
      return [credential.username, credential.password, `${credential.username}:${credential.password}`];
    case 'CUSTOM_AUTH':
      return Object.values(credential.props).filter((value): value is string => typeof value === 'string');
    default:
      return credential satisfies never;
  }
}

function fieldsOf({ auth }: Piece, type: string): { names: string[]; required: string[] } {
  if (type === 'SECRET_TEXT') return { names: ['secretText'], required: ['secretText'] };
  // Stripe and others take a key as the username alone.
  if (type === 'BASIC_AUTH') return { names: ['username', 'password'], required: ['username'] };
  const props = Object.entries(auth?.props ?? {});
  return {
    names: props.map(([name]) => name),
    required: props.filter(([, prop]) => prop.required).map(([name]) => name),
  };
}
