import {
  action,
  fieldParts,
  file,
  filePart,
  longText,
  multipart,
  number,
  readBody,
  shortText,
  staticDropdown,
  staticMultiSelect,
} from '@drawbridge/piece-kit';
import { TIMEOUT_MS, transcriptionModel } from '../properties.js';

/** Transcribes speech in an audio file: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcribe = action({
  displayName: 'Transcribe',
  description:
    'Transcribes speech in an audio file. Returns the text as "text", with segments or words if the format has them.',
  category: 'payment',
  timeoutMs: TIMEOUT_MS,
  props: {
    model: transcriptionModel,
    file: file('Audio', { required: true, description: 'flac, m4a, mp3, mp4, mpeg, mpga, ogg, wav or webm.' }),
    language: shortText('Language', {
      description: 'Spoken language, such as en. Improves accuracy.',
      pattern: '^[a-z]{2,3}$',
    }),
    prompt: longText('Prompt', {
      description: 'Names and terms that occur in the audio, in its language.',
      maxLength: 10_000,
    }),
    response_format: staticDropdown('Format', ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'], {
      description:
        'srt, vtt and verbose_json (timestamps) need whisper-1; diarized_json needs a model that tells speakers apart.',
    }),
    timestamp_granularities: staticMultiSelect('Timestamps', ['segment', 'word'], {
      description: 'For the format verbose_json. Defaults to segment.',
    }),
    chunking_strategy: staticDropdown('Chunking', ['auto'], {
      description: 'Cuts the audio at pauses. Required above 30 seconds by models that tell speakers apart.',
    }),
    temperature: number('Temperature', {
      description: 'Randomness, from 0 to 1. Defaults to 0.',
      minimum: 0,
      maximum: 1,
    }),
  },
  run: async ({ http, input: { file: audio, timestamp_granularities: granularities = [], ...fields } }) => {
    const parts = [
      ...fieldParts(fields),
      ...granularities.flatMap((one) => fieldParts({ 'timestamp_granularities[]': one })),
      filePart('file', audio),
    ];
    const answer = await http.request({ method: 'POST', path: '/v1/audio/transcriptions', ...multipart(parts) });
    const body = readBody(answer);
    return typeof body === 'string' ? { text: body } : body;
  },
});
