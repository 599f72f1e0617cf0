import type { Where } from '../../fact/fact.ts';
import { lineFormat } from '../kit/lines.ts';
import { own } from '../own.ts';

/** The kernel command line: `/proc/cmdline`, or the line of it that the kernel log repeats. */
export interface KernelCommandLine {
  readonly kind: 'kernel-cmdline';
  readonly file: string;
  readonly lines: readonly { readonly text: string; readonly at: Where }[];
}

export const kernelCommandLine = lineFormat<KernelCommandLine['lines'][number]>({
  id: 'kernel-cmdline',
  example: 'BOOT_IMAGE=/boot/vmlinuz-6.8.0-45-generic root=UUID=… ro quiet',
  hints: ['BOOT_IMAGE=', 'root=', 'iommu', 'Command line:', 'GRUB_CMDLINE'],
  limit: 20,
  entry: (line, at) => {
    const found =
      /(?:BOOT_IMAGE=|(?:^|\s|")root=(?:UUID|LABEL|PARTUUID|\/dev)|(?:Kernel )?[Cc]ommand line:|GRUB_CMDLINE_LINUX\w*=|^(?:\S+=\S+ |ro |quiet |splash )*(?:intel_iommu|amd_iommu|iommu)=\w+).*$/.exec(
        line,
      );
    return found ? { text: own(found[0].slice(0, 4000)), at } : undefined;
  },
  build: (lines, { file }) => ({ kind: 'kernel-cmdline', file, lines }),
});
