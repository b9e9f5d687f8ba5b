import { requireApiUrl, requireCredentials, toConnection } from '@drawbridge/containers';
import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { text, type Variables, wholeNumber } from '@drawbridge/rpc';
import { PIECES_VARIABLES } from '@drawbridge/service';

const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
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
    ...text({
      default: 'drawbridge-sandbox',
      desc: 'Name of the image for advanced code, in the engine or the registry of the cluster.',
    }),
    check: named(/^[a-z0-9][\w./:@-]*$/, 'an image, such as drawbridge-sandbox or sha256:…'),
  },
  SANDBOX_RUNTIME: {
    ...text({
      default: '',
      desc: 'The OCI runtime of the engine for advanced code, such as runsc, or the RuntimeClass of the cluster, such as gvisor. Default: the default of the engine or the node.',
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
  SANDBOX_KUBERNETES_NAMESPACE: {
    ...text({
      default: '',
      desc: 'The namespace of a Kubernetes cluster in which advanced code runs as Jobs. Default: advanced code runs on the Docker engine.',
    }),
    check: named(NAMESPACE, 'the name of a namespace, such as drawbridge-sandbox'),
    requires: ['SANDBOX_KUBERNETES_API', 'SANDBOX_KUBERNETES_CREDENTIALS'],
  },
  SANDBOX_KUBERNETES_API: {
    ...text({
      default: '',
      desc: 'The API server of this cluster: https://host:port, in a pod https://kubernetes.default.svc.',
    }),
    check: requireApiUrl,
  },
  SANDBOX_KUBERNETES_CREDENTIALS: {
    ...text({
      default: '',
      desc: 'Folder with token and ca.crt, in a pod /var/run/secrets/kubernetes.io/serviceaccount. Both are read again for each request.',
    }),
    check: requireCredentials,
  },
  ...EGRESS_VARIABLES,
  ...PIECES_VARIABLES,
} satisfies Variables;

function named(pattern: RegExp, what: string): (value: string) => void {
  return (value) => {
    if (!pattern.test(value)) throw new Error(`must be ${what}`);
  };
}
