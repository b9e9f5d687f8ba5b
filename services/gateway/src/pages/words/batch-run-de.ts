import { type batchRunEn } from './batch-run-en.js';

export const batchRunDe: typeof batchRunEn = {
  title: 'Ein Programm ausführen',
  lead: (organization) =>
    `${organization} braucht Ihre Genehmigung für Aufrufe eines Programms, das ein KI-Agent geschrieben hat.`,
  ask: { approve: 'Diesen Lauf genehmigen?', reject: 'Diesen Lauf ablehnen?' },
  meaning: {
    pending: 'Die Aufrufe, die diese Genehmigung brauchen, werden ohne sie nicht ausgeführt.',
    approved: 'Das Programm macht diese Aufrufe, sobald der Agent es fortsetzt.',
    consumed: 'Das Programm hat diese Genehmigung verwendet. Kein anderes Programm kann sie verwenden.',
    rejected: 'Das Programm endet ohne diese Aufrufe.',
    canceled: 'Diese Genehmigung wird nicht mehr gebraucht. Das Programm endet ohne diese Aufrufe.',
    expired: 'Es wurde nicht rechtzeitig entschieden. Das Programm endet ohne diese Aufrufe.',
  },
  about: 'Was das Programm tut',
  calls: 'Was das Programm aufrufen kann',
  noCalls: 'Es sind keine Aufrufe aufgeführt.',
  countOf: (calls) => (calls === 1 ? '1 Aufruf' : `${calls} Aufrufe`),
  needs: { this: 'braucht diese Genehmigung', another: 'braucht eine andere Genehmigung' },
  more: (calls) =>
    calls === 1
      ? 'Ein weiterer Aufruf ist hier nicht aufgeführt.'
      : `${calls.toLocaleString('de')} weitere Aufrufe sind hier nicht aufgeführt.`,
  covers:
    'Diese Genehmigung gilt nur für die Aufrufe, bei denen „braucht diese Genehmigung“ steht, und nur in diesem Lauf dieses Programms. Was ein Aufruf sendet, steht noch nicht fest: Eine Richtlinie über Beträge, Empfänger, Domains oder Pfade kann dann noch eine Genehmigung verlangen oder den Aufruf verhindern.',
  confidence: {
    exact: 'Das Programm nennt jeden seiner Aufrufe. Die Liste ist vollständig.',
    partial:
      'Die Liste ist vielleicht nicht vollständig. Ein Aufruf, der nicht aufgeführt ist, kann ausgeführt werden, wenn keine Richtlinie dafür eine Genehmigung verlangt.',
    dynamic:
      'Die Aufrufe lassen sich nicht vorhersagen: Das Programm wählt sie, während es läuft. Jeder dieser Aufrufe ist möglich, auch keiner und auch mehrmals.',
  },
  signals: 'Warum sich die Aufrufe nicht vorhersagen lassen',
  domains: 'Adressen im Programm',
  storage: 'Speicherorte im Programm',
  request: 'Über diese Anfrage',
  program: 'Das Programm',
  showProgram: 'Das Programm zeigen oder verbergen',
  noProgram: 'Das Programm kann hier nicht gezeigt werden.',
};
