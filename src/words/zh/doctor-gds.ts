/** Findings about GPUDirect Storage: title, what it does, how to mend it, how it is known. */
export const doctorGds = {
  'doctor.title.gds-compat-mode': 'cuFile 运行在兼容模式',
  'doctor.title.gds-driver-not-loaded': 'nvidia-fs 没有加载',
  'doctor.title.gds-file-register-failed': '这个文件不支持 GPUDirect Storage',
  'doctor.title.gds-nvme-driver-not-patched': 'NVMe 驱动不认识 nvidia-fs',
  'doctor.title.gds-nvme-unsupported': '这里的 GPUDirect Storage 不支持 NVMe',
  'doctor.title.gds-p2pdma-unsupported': '经 P2PDMA 访问 NVMe 的方式不受支持',
  'doctor.title.gds-udev-missing-in-container': '容器看不到 udev 的数据',
  'doctor.title.gds-unsupported-block-device': '文件下面的块设备不受支持',
  'doctor.title.gds-gpu-memory-refused': '驱动拒绝让 nvidia-fs 使用这块 GPU 的显存',
  'doctor.effect.gds-compat-mode': '读写都经过主机内存：结果正确，但较慢。',
  'doctor.effect.gds-driver-not-loaded': '无法使用 GPUDirect Storage。',
  'doctor.effect.gds-file-register-failed': '文件无法注册。',
  'doctor.effect.gds-nvme-driver-not-patched': '从本地盘读取要经过主机内存。',
  'doctor.effect.gds-nvme-unsupported': '从本地盘读取要经过主机内存。',
  'doctor.effect.gds-p2pdma-unsupported': 'GPUDirect Storage 无法使用内核自带的驱动。',
  'doctor.effect.gds-udev-missing-in-container': 'cuFile 不知道文件下面是什么设备，只好退回。',
  'doctor.effect.gds-unsupported-block-device': 'cuFile 退回兼容模式或失败。',
  'doctor.effect.gds-gpu-memory-refused': '缓冲区无法注册；cuFile 退回到经主机内存拷贝，或直接失败。',
  'doctor.fix.gds-compat-mode': '加载 nvidia-fs，并修复 gdscheck -p 中不支持的项目；或者接受现状。',
  'doctor.fix.gds-driver-not-loaded': '立即加载 nvidia-fs，并设为开机加载。',
  'doctor.fix.gds-file-register-failed':
    '文件系统及其下的设备必须受支持：NVMe 上的 ext4（data=ordered）或 XFS，或受支持的网络文件系统。',
  'doctor.fix.gds-nvme-driver-not-patched':
    '安装带 GDS 支持的 OFED 或 DOCA 版 NVMe 驱动，重建 initramfs 并重新加载 nvme。',
  'doctor.fix.gds-nvme-unsupported': '安装带 GDS 支持的 NVMe 驱动，或用 580 版驱动、CUDA 13 和带 P2PDMA 的内核。',
  'doctor.fix.gds-p2pdma-unsupported':
    '用 580 或更新的驱动、CUDA 13 和带 P2PDMA 的内核，或用 nvidia-fs 加打过补丁的 NVMe 驱动。',
  'doctor.fix.gds-udev-missing-in-container': '把 /run/udev 挂载进容器。',
  'doctor.fix.gds-unsupported-block-device': '使用裸 NVMe 或 md RAID；不支持 device mapper 卷（LVM、dm-crypt）。',
  'doctor.fix.gds-gpu-memory-refused':
    'GPUDirect Storage 需要数据中心或专业级 GPU，GeForce 没有此功能。若 GPU 支持，请检查 BAR1 是否用尽，以及 nvidia-fs 是否为别的驱动编译。',
  'doctor.known.gds-compat-mode':
    'cuFile 自己这样说，或 gdscheck 里没有一项受支持而兼容模式是允许的。允许兼容模式只是默认值。',
  'doctor.known.gds-driver-not-loaded': '模块列表中没有 nvidia_fs。',
  'doctor.known.gds-file-register-failed': 'gdsio 或 cuFile 对该文件这样报告。',
  'doctor.known.gds-nvme-driver-not-patched':
    '出现 NVMe Driver not registered with nvidia-fs：只加载 nvidia-fs 还不够。',
  'doctor.known.gds-nvme-unsupported': 'gdscheck 显示 NVMe 为 Unsupported。其他各行只要没装相应产品就都是不支持。',
  'doctor.known.gds-p2pdma-unsupported':
    'gdscheck 显示 NVMe P2PDMA 为 Unsupported，或 cuFile 记录错误 801。现在通往 NVMe 有两条路，指南常把它们混在一起。',
  'doctor.known.gds-udev-missing-in-container': 'cuFile 记录 udev property not found。',
  'doctor.known.gds-unsupported-block-device': 'cuFile 点名了 dm 设备。',
  'doctor.known.gds-gpu-memory-refused':
    'nvidia-fs 的 MAP ioctl 向 GPU 驱动索取缓冲区的页面；不支持 GPUDirect RDMA 的显卡返回错误 -22。',
  'doctor.title.gds-disabled-by-config': '配置要求 cuFile 在这里不使用 GPUDirect Storage',
  'doctor.effect.gds-disabled-by-config': '这类文件的读写要经过主机内存，或者无法注册。',
  'doctor.fix.gds-disabled-by-config': '从 cufile.json 的 denylist 中去掉该文件系统、挂载点、设备或模块。',
  'doctor.known.gds-disabled-by-config': 'cuFile 在日志中说明支持已被禁用；只有配置中列出的对象才会这样报告。',
  'doctor.title.gds-versions-differ': 'nvidia-fs 与 libcufile 的版本不匹配',
  'doctor.effect.gds-versions-differ': 'cuFile 打不开驱动，无法使用 GPUDirect Storage。',
  'doctor.fix.gds-versions-differ': '安装同一 CUDA 版本的 nvidia-fs 和 libcufile，并加载新模块。',
  'doctor.known.gds-versions-differ':
    'cuFile 会把自己的版本与已加载模块的版本相比较，不一致时写入日志。升级之后，旧模块会一直留在内核中，直到被卸载或主机重启。',
} as const;
