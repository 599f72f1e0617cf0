/** Findings about GPUDirect Storage: title, what it does, how to mend it, how it is known. */
export const doctorGds = {
  'doctor.title.gds-compat-mode': 'cuFile runs in compatibility mode',
  'doctor.title.gds-driver-not-loaded': 'nvidia-fs is not loaded',
  'doctor.title.gds-file-register-failed': 'GPUDirect Storage is not supported for this file',
  'doctor.title.gds-nvme-driver-not-patched': 'The NVMe driver does not know nvidia-fs',
  'doctor.title.gds-nvme-unsupported': 'GPUDirect Storage has no support for NVMe here',
  'doctor.title.gds-p2pdma-unsupported': 'The way to NVMe by P2PDMA is not supported',
  'doctor.title.gds-udev-missing-in-container': "The container cannot see udev's data",
  'doctor.title.gds-unsupported-block-device': 'The block device below the file is not supported',
  'doctor.title.gds-gpu-memory-refused': 'The driver refuses nvidia-fs the memory of this GPU',
  'doctor.effect.gds-compat-mode': 'Reads and writes go through host memory: right, but slower.',
  'doctor.effect.gds-driver-not-loaded': 'GPUDirect Storage is not available.',
  'doctor.effect.gds-file-register-failed': 'The file cannot be registered.',
  'doctor.effect.gds-nvme-driver-not-patched': 'Reads from local drives go through host memory.',
  'doctor.effect.gds-nvme-unsupported': 'Reads from local drives go through host memory.',
  'doctor.effect.gds-p2pdma-unsupported': 'GPUDirect Storage cannot use the driver of the kernel.',
  'doctor.effect.gds-udev-missing-in-container': 'cuFile cannot tell what lies below the file and falls back.',
  'doctor.effect.gds-unsupported-block-device': 'cuFile falls back to compatibility mode or fails.',
  'doctor.effect.gds-gpu-memory-refused':
    'Buffers cannot be registered; cuFile falls back to copies through host memory or fails.',
  'doctor.fix.gds-compat-mode': 'Load nvidia-fs and repair what gdscheck -p calls unsupported, or accept it.',
  'doctor.fix.gds-driver-not-loaded': 'Load nvidia-fs now and at every boot.',
  'doctor.fix.gds-file-register-failed':
    'The file system and the device below it must support it: ext4 with data=ordered or XFS on NVMe, or a supported network file system.',
  'doctor.fix.gds-nvme-driver-not-patched':
    'Install the OFED or DOCA NVMe driver with GDS support, rebuild the initramfs and reload nvme.',
  'doctor.fix.gds-nvme-unsupported':
    'Install the NVMe driver with GDS support, or use driver 580 and CUDA 13 with a kernel that has P2PDMA.',
  'doctor.fix.gds-p2pdma-unsupported':
    'Use driver 580 or newer with CUDA 13 and a kernel with P2PDMA, or nvidia-fs with the patched NVMe driver.',
  'doctor.fix.gds-udev-missing-in-container': 'Mount /run/udev into the container.',
  'doctor.fix.gds-unsupported-block-device':
    'Use raw NVMe or md RAID; device mapper volumes (LVM, dm-crypt) are not supported.',
  'doctor.fix.gds-gpu-memory-refused':
    'GPUDirect Storage needs a data centre or professional GPU; GeForce boards have none. On such a GPU, look for a BAR1 that is used up, and for nvidia-fs built for another driver.',
  'doctor.known.gds-compat-mode':
    'cuFile says so, or nothing in gdscheck is supported and compatibility is allowed. That it is allowed is only the default.',
  'doctor.known.gds-driver-not-loaded': 'The list of modules lacks nvidia_fs.',
  'doctor.known.gds-file-register-failed': 'gdsio or cuFile say so for the file.',
  'doctor.known.gds-nvme-driver-not-patched':
    'NVMe Driver not registered with nvidia-fs: a loaded nvidia-fs is not enough.',
  'doctor.known.gds-nvme-unsupported':
    'gdscheck shows NVMe as Unsupported. Other rows are unsupported wherever their product is not installed.',
  'doctor.known.gds-p2pdma-unsupported':
    'gdscheck shows NVMe P2PDMA as Unsupported, or cuFile logs error 801. There are two ways to NVMe now, and guides mix them.',
  'doctor.known.gds-udev-missing-in-container': 'cuFile logs udev property not found.',
  'doctor.known.gds-unsupported-block-device': 'cuFile names a dm device.',
  'doctor.known.gds-gpu-memory-refused':
    'The MAP ioctl of nvidia-fs asks the GPU driver for the pages of a buffer; a board without GPUDirect RDMA answers with error -22.',
  'doctor.title.gds-disabled-by-config': 'cuFile is told not to use GPUDirect Storage here',
  'doctor.effect.gds-disabled-by-config': 'Files of this kind are read through host memory, or cannot be registered.',
  'doctor.fix.gds-disabled-by-config':
    'Take the file system, mount, device or module out of the denylist of cufile.json.',
  'doctor.known.gds-disabled-by-config':
    'cuFile logs that its support has been disabled; it says so only of what its configuration lists.',
  'doctor.title.gds-versions-differ': 'nvidia-fs and libcufile do not fit each other',
  'doctor.effect.gds-versions-differ': 'cuFile does not open the driver; GPUDirect Storage is not available.',
  'doctor.fix.gds-versions-differ': 'Install nvidia-fs and libcufile of one CUDA release, and load the new module.',
  'doctor.known.gds-versions-differ':
    'cuFile compares its version with that of the loaded module and logs a mismatch. After an update the old module stays loaded until it is taken out or the host restarts.',
} as const;
