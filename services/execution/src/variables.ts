import { toConnection } from '@drawbridge/containers';
import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { text, type Variables, wholeNumber } from '@drawbridge/rpc';
import { PIECES_VARIABLES } from '@drawbridge/service';

const NAME = /^[a-zA-Z0-9][\w.-]*$/;

/** The environment variables that only the execution service reads. */
export const VARIABLES = {
  RUN_LOG_DAYS: wholeNumber({ min: 1, max: 3_650 })({
    default: 90,
    desc: 'Retention of the run log, in days; 1 to 3650.',
  }),
  DOCKER_HOST: {
    ...text({
      default: '',
      desc: 'The Docker engine that runs advanced code: unix:///path or tcp://host:port. Default: unix:///var/run/docker.sock.',
    }),
    check: (host: string): unknown => toConnection(host),
  },
  DOCKER_CERT_PATH: {
    ...text({
      default: '',
      desc: 'Folder with ca.pem, cert.pem and key.pem, for an engine that uses TLS.',
    }),
    check: (folder: string): unknown => toConnection('tcp://engine', folder),
  },
  SANDBOX_IMAGE: {
    ...text({ default: 'drawbridge-sandbox', desc: 'Name of the image for advanced code, in the engine.' }),
    check: named(/^[a-z0-9][\w./:@-]*$/, 'an image, such as drawbridge-sandbox or sha256:…'),
  },
  SANDBOX_RUNTIME: {
    ...text({
      default: '',
      desc: 'The OCI runtime of the engine for advanced code, such as runsc. Default: the default of the engine.',
    }),
    check: named(NAME, 'the name of a runtime, such as runsc'),
  },
  SANDBOX_NETWORK: {
    ...text({
      default: 'bridge',
      desc: 'The network of the engine through which the egress proxy of advanced code reaches providers.',
    }),
    check: named(NAME, 'the name of a network, such as bridge'),
  },
  ...EGRESS_VARIABLES,
  ...PIECES_VARIABLES,
} satisfies Variables;

function named(pattern: RegExp, what: string): (value: string) => void {
  return (value) => {
    if (!pattern.test(value)) throw new Error(`must be ${what}`);
  };
}
