/** Unclear words, as patterns, each with a description of its replacement. */
export const GLOSSARY = {
  nobody: 'name what does not: "no request", "no user"',
  '(some|any)body': 'name the user, caller or process',
  'who(m)?ever': 'name the user, caller or process',
  anew: 'again',
  'can not': 'cannot',
  '(is|are|was|were) told': 'receives, is notified',
  'what of': 'name the part',
  'let(s)? go( of)?': 'delete, release',
  'no more than one': 'at most one',
  'half way': 'early, in between',
  'who asks': 'name the user, caller or client',
};

/** Further words of code, tests and declarations. Pages and documentation may use them: there they are plain relative pronouns. */
export const CODE_GLOSSARY = {
  'whom(ever)?': '"that" with the preposition at the end',
  whose: '"with a …" or "of a … that"',
};

/** A comment does not begin with these words, because it must begin with its subject or verb. */
export const STARTS = ['Of', 'What', 'Who', 'Whom', 'Whose', 'That'];
