import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/**
 * What a Kubernetes node says of its GPUs and NICs (`kubectl describe node`, `get node -o yaml`, `--show-labels`, a ResourceSlice):
 * labels of the GPU operator and of node feature discovery, and counts of devices.
 */
export interface KubernetesNode {
  readonly kind: 'kubernetes-node';
  readonly file: string;
  readonly labels: readonly KubernetesLabel[];
}

export interface KubernetesLabel {
  /** `nvidia.com/gpu.product`. */
  readonly name: string;
  readonly value: string;
  readonly at: Where;
}

const domains =
  'nvidia\\.com|network\\.nvidia\\.com|feature\\.node\\.kubernetes\\.io|vpc\\.amazonaws\\.com|topology\\.kubernetes\\.io|resource\\.kubernetes\\.io|rdma|openshift\\.io';
const label = new RegExp(
  `(?:^|[\\s,"{])((?:${domains})/[A-Za-z][\\w.-]{1,100})"?\\s*[:=]\\s*"?([\\w.:+-]{1,120})"?`,
  'g',
);

export const kubernetesNode = lineFormat<readonly KubernetesLabel[]>({
  id: 'kubernetes-node',
  example: 'nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3',
  hints: ['nvidia.com/', 'kubernetes.io/', 'amazonaws.com/', 'rdma/', 'openshift.io/'],
  entry: (line, at) => {
    const found: KubernetesLabel[] = [];
    for (const m of line.matchAll(label)) {
      // A path or an image (`nvcr.io/nvidia.com/x:1`) is no label of a node.
      if (found.length < 256) found.push({ name: own(m[1]!), value: own(m[2]!), at });
    }
    return found.length > 0 ? found : undefined;
  },
  build: (entries, { file }) => ({ kind: 'kubernetes-node', file, labels: entries.flat() }),
});
