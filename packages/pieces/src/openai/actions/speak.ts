import { action, dropdown, longText, number, staticDropdown, toFile } from '@drawbridge/piece-kit';
import { speechModel, TIMEOUT_MS } from '../properties.js';

const VOICES = ['alloy', 'ash', 'ballad', 'cedar', 'coral', 'echo', 'marin', 'sage', 'shimmer', 'verse'];

/** Converts text to speech: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speak = action({
  displayName: 'Speak',
  description: 'Reads a text aloud and returns the audio as a file.',
  category: 'payment',
  timeoutMs: TIMEOUT_MS,
  props: {
    model: speechModel,
    input: longText('Text', { required: true, minLength: 1, maxLength: 4096 }),
    voice: dropdown('Voice', {
      required: true,
      description: 'Such as marin. Voices depend on the model.',
      maxLength: 100,
      options: async () => VOICES.map((name) => ({ label: name, value: name })),
    }),
    instructions: longText('Instructions', {
      description: 'How to speak, such as "cheerful and slow". Not for tts-1 models.',
      maxLength: 4096,
    }),
    response_format: staticDropdown('Format', ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'], {
      description: 'Defaults to mp3.',
    }),
    speed: number('Speed', { description: 'From 0.25 to 4. Defaults to 1.', minimum: 0.25, maximum: 4 }),
  },
  run: async ({ http, input }) => {
    const answer = await http.request({ method: 'POST', path: '/v1/audio/speech', json: input });
    return { ...toFile(answer), filename: `speech.${input.response_format ?? 'mp3'}` };
  },
});
