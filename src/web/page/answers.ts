/** What the page uses of the JSON answers; `schemas/` has them whole. */

export interface Place {
  readonly file: string;
  readonly line: number;
}

export interface Coded {
  readonly code: string;
  readonly text: string;
}

export interface WayStage {
  readonly from: string;
  readonly to: string;
  readonly via: readonly string[];
  readonly by: string;
  readonly medium: string;
  readonly bytesPerSecond?: number;
  readonly copy?: number;
  readonly evidence: readonly Place[];
}

export interface Way {
  readonly path: string;
  readonly copies: number;
  readonly weakest?: number;
  readonly stages: readonly WayStage[];
}

export interface Device {
  readonly id: string;
  readonly label: string;
  readonly kind: 'cpu' | 'switch' | 'bridge' | 'gpu' | 'nic' | 'nvme' | 'nvswitch';
  readonly host: number;
  readonly count: number;
  readonly parent?: string;
  readonly name?: string;
  readonly busId?: string;
  readonly link?: string;
  readonly nvlinks: number;
  readonly detail?: string;
  readonly mark?: 'bad' | 'look' | 'unknown';
  readonly at: readonly Place[];
}

export interface Shown {
  readonly title: string;
  readonly hosts: readonly {
    readonly id: string;
    readonly name?: string;
    readonly count: number;
    readonly nvswitch?: string;
    readonly nvlinkMesh?: { readonly gpus: readonly string[]; readonly links: readonly (readonly number[])[] };
    readonly links: readonly string[];
  }[];
  readonly hiddenHosts: number;
  readonly devices: readonly Device[];
  readonly legend: readonly string[];
  readonly notes: readonly { readonly mark: string; readonly text: string; readonly devices: readonly string[] }[];
}

export interface ReportWay {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly direct: Verdict;
  readonly ways: readonly Way[];
  readonly rule: Coded;
  readonly evidence: readonly Place[];
  readonly couldGo?: string;
}

export type Verdict = 'yes' | 'no' | 'unknown';

export interface Report {
  readonly ncclVersion: string | null;
  readonly nodes: number;
  readonly inputs: readonly {
    readonly file: string;
    readonly lines: number;
    readonly formats: readonly { readonly id: string; readonly lines: readonly number[]; readonly count: number }[];
    readonly declined?: readonly { readonly format: string; readonly reason: string }[];
    readonly notes: readonly { readonly line: number; readonly text: string }[];
  }[];
  readonly machine: Shown;
  readonly refused?: Coded;
  readonly ways: readonly ReportWay[];
  readonly conflicts: readonly {
    readonly about: Coded;
    readonly claims: readonly { readonly value: string; readonly at: readonly Place[] }[];
    /** Which of the claims. */
    readonly used: number;
  }[];
  readonly notes: readonly (Coded & { readonly evidence: readonly Place[] })[];
}

export interface Flip {
  readonly edits: readonly {
    readonly id: string;
    readonly effort: string;
    readonly what: Coded;
    readonly command?: string;
  }[];
  readonly direct: Verdict;
  readonly ways: readonly Way[];
}

export interface Explain {
  readonly ncclVersion: string;
  readonly from: string;
  readonly to: string;
  readonly direct: Verdict;
  readonly ways: readonly Way[];
  readonly rule: Coded;
  readonly evidence: readonly Place[];
  readonly settle?: { readonly command: string };
  readonly nics?: readonly string[];
  readonly flips: readonly Flip[];
}

export interface MoveLink {
  readonly device?: string;
  readonly kind: string;
  readonly text: string;
  readonly bytesPerSecond: number;
}

export interface MoveStage {
  readonly name: string;
  readonly bytesPerSecond?: number;
  readonly copy: boolean;
  readonly hostMemoryBytesPerByte: number;
  readonly cpuSecondsPerByte: number;
  readonly links: readonly MoveLink[];
}

export interface MoveRow {
  readonly bytes: number;
  readonly latencyUs: number;
  readonly bandwidthGBps: number;
  readonly cpuSecondsPerGB: number;
}

export interface MovePath {
  readonly path: string;
  readonly allowed: Verdict;
  readonly rule: string;
  readonly reason: string;
  readonly note?: string;
  readonly copies: number;
  readonly hostMemoryBytesPerByte: number;
  readonly stages: readonly MoveStage[];
  readonly rows: readonly MoveRow[];
}

export interface Move {
  readonly from: string;
  readonly to: string;
  readonly assumptions: readonly string[];
  readonly paths: readonly MovePath[];
}

export interface PredictRow {
  readonly bytes: number;
  readonly timeUs: number;
  readonly timeLowUs: number;
  readonly timeHighUs: number;
  readonly algbwGBps: number;
  readonly busbwGBps: number;
  readonly algorithm: string;
  readonly protocol: string;
  readonly channels: number;
  readonly limit: string;
}

export interface Prediction {
  readonly collective: string;
  readonly ncclVersion: string;
  readonly ranks: number;
  readonly nodes: number;
  readonly rows: readonly PredictRow[];
  readonly bottleneck: { readonly why: string };
  readonly assumptions: readonly string[];
}

export interface ComparedRow extends PredictRow {
  readonly measuredTimeUs: number;
  readonly measuredBusbwGBps: number;
  readonly ratio: number;
  readonly verdict: 'normal' | 'low' | 'high' | 'impossible';
}

export interface Comparison extends Omit<Prediction, 'rows'> {
  readonly rows: readonly ComparedRow[];
  readonly verdict: ComparedRow['verdict'];
  /** The verdict in words. */
  readonly says: string;
  readonly notes: readonly string[];
  readonly explanations: readonly { readonly id: string; readonly what: string; readonly distance: number }[];
}

export interface Finding {
  readonly id: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly confidence: number;
  readonly devices?: readonly string[];
  readonly title: string;
  readonly effect: string;
  readonly cost?: string;
  readonly evidence: readonly (Place & { readonly text: string })[];
  readonly absent?: readonly string[];
  readonly fix: readonly { readonly text: string; readonly command?: string }[];
  readonly settle?: { readonly command: string };
  readonly follows?: string;
  readonly docs: string;
}

export interface Findings {
  readonly findings: readonly Finding[];
  readonly verdicts: readonly {
    readonly about: string;
    readonly verdict: Verdict;
    readonly evidence: readonly Place[];
    readonly settle?: { readonly command: string };
  }[];
}

export interface Lesson {
  readonly topic: string;
  readonly about: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly allowed: Verdict;
  readonly steps: readonly {
    readonly stage: string;
    readonly bytesPerSecond?: number;
    readonly copies: number;
    readonly hostMemoryBytesPerByte: number;
    readonly coreBytesPerByte: number;
  }[];
  readonly rows: readonly MoveRow[];
  readonly said: {
    readonly run: string;
    readonly registered?: string;
    readonly packet?: string;
    readonly today: string;
  };
  readonly typical: boolean;
}

export interface NcclLesson {
  readonly topic: 'nccl';
  readonly about: readonly string[];
  readonly ncclVersion: string;
  readonly ways: readonly {
    readonly from: readonly string[];
    readonly to: readonly string[];
    readonly path: string;
    readonly direct: Verdict;
    readonly rule: Coded;
  }[];
  readonly choices: readonly {
    readonly fromBytes: number;
    readonly toBytes: number;
    readonly algorithm: string;
    readonly protocol: string;
    readonly channels: number;
  }[];
  readonly limit: string;
}

export interface TraceDocument {
  readonly traceEvents: readonly {
    readonly ph: 'X' | 'M' | 'C';
    readonly name: string;
    readonly pid: number;
    readonly tid: number;
    readonly ts?: number;
    readonly dur?: number;
    readonly cat?: string;
    readonly args?: Readonly<Record<string, string | number>>;
  }[];
}

export interface QuotedAnswer {
  readonly file: string;
  readonly first: number;
  readonly lines: readonly string[];
}
