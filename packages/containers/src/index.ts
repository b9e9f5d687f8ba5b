export { ContainerError, type ContainerErrorCode } from './container-error.js';
export { createContainers, type Containers, type ContainersOptions } from './containers.js';
export { dockerDriver, type DockerOptions } from './docker-driver.js';
export type { Driver, Language } from './driver.js';
export { LANGUAGES } from './driver.js';
export { type KubernetesApi, kubernetesDriver, type KubernetesOptions } from './kubernetes-driver.js';
export { LIMITS } from './limits.js';
export { mergeChanges, type Mount, type MountChanges, type MountFiles } from './mount-files.js';
export type { RunRequest, RunResult } from './run.js';
