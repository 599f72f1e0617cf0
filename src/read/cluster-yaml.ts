/** To be filled by the reader. */
export interface ClusterYaml {
  readonly kind: 'cluster-yaml';
  readonly file: string;
}
