/** What the page says on which a person lets a program act for them. */
export const authorizeEn = {
  title: (client: string) => `Let ${client} in?`,
  lead: (client: string, server: string) => `${client} wants to use “${server}” for you.`,
  unnamed: 'A program without a name',
  unchecked: 'What it calls itself nobody has checked. Go on only if you have just begun this yourself.',
  program: 'Program',
  goesTo: 'You are then sent to',
  onThisDevice: (place: string) => `a program on this device (${place})`,
  may: 'It may',
  scopes: { 'mcp:tools': 'use the tools there', 'mcp:code': 'run code there that uses the tools' } as Record<
    string,
    string
  >,
  you: 'You are',
  newPerson: (email: string) => `${email}, for the first time`,
  allow: 'Allow',
  deny: 'Do not allow',
  until: 'It may do so until you, or who runs this, end it, and at most 30 days after it last did.',
  who: 'Who are you?',
  whoElse: 'Are you somebody else?',
  signIn: 'Sign in',
  or: 'or',
  email: 'Email',
  sendCode: 'Email me a code',
  noMail: 'Without an account this can not be allowed here: no mail is sent from here.',
  codeTitle: 'Enter the code',
  codeLead: 'If that email is known here, a code is on its way to it. It works for 10 minutes, in this browser.',
  code: 'Code',
  check: 'Continue',
  wrong: 'That is not the code, or it works no more. After five tries, ask for another.',
  another: 'Ask for another code',
  back: 'Back to the program',
  changed: 'What is asked for has changed. Read it once more.',
  refusals: {
    unknown: 'Nobody is known here by your email. Ask who runs this to add you.',
    ambiguous: 'More than one is known here by your email, so that it can not be said who you are. Ask who runs this.',
    another: 'This is for somebody else alone.',
  } as Record<string, string>,
  bad: {
    client: {
      title: 'This program is not known',
      text: 'It did not register, what it says of itself can not be read, or it was forgotten. Begin again in the program.',
    },
    redirect: {
      title: 'This program asks for something else than it said',
      text: 'It wants to send you somewhere that it did not name before. Nothing was allowed.',
    },
    asked: {
      title: 'This can not be given',
      text: 'What the program asks for is not there, or not in this way. Nothing was allowed. Go back only if you know where that leads.',
    },
    request: {
      title: 'This can not be read',
      text: 'What the program asks for is too long, or says a thing twice. Nothing was allowed.',
    },
  },
};
