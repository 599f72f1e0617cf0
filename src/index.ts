/** crowfly as a library: the same questions the command line asks, as pure functions. */

export { answerCompare, type CompareAnswer, type ComparedRow } from './answer/compare.ts';
export { answerDiff, type DiffAnswer, type Difference } from './answer/diff.ts';
export { answerDoctor, type DoctorAnswer, type Quoted, type ToldFinding } from './answer/doctor.ts';
export { answerEnv, type EnvAnswer } from './answer/env.ts';
export { answerExplain, type ExplainAnswer, foremost } from './answer/explain.ts';
export { type FindingAbout, findingAbout } from './answer/finding-about.ts';
export { answerGraph, type GraphAnswer, type GraphTold } from './answer/graph.ts';
export { answerMove, type MoveAnswer, type MoveAnswerPath, type MoveAsk, parseSizes } from './answer/move.ts';
export { answerPaths, type PathDevice, type PathPair, type PathsAnswer } from './answer/paths.ts';
export { answerPredict, type PredictAnswer, type PredictAsk, type PredictedRow } from './answer/predict.ts';
export { answerReport, type ReportAnswer, type ReportPoint, type ReportRow } from './answer/report.ts';
export { answerTrain, type TrainAnswer, type TrainAsk, type TrainRow } from './answer/train.ts';
export { assemble } from './assemble/assemble.ts';
export { type Assumption, assume, parseAssumption } from './assemble/assume.ts';
export { buildMachine, systemMachine } from './assemble/build/machine.ts';
export { fail, ok, type Result } from './base/result.ts';
export * from './base/units.ts';
export { findSystem, nearestSystem, systems } from './catalogue/systems.ts';
export { buildProgram, type Ways } from './collective/build.ts';
export { Clockwork } from './collective/clock/clockwork.ts';
export { type Costs, costsOf, type Hop } from './collective/clock/costs.ts';
export { type ClockConstants, machineCosts } from './collective/clock/machine-costs.ts';
export { type CollectiveTime, timeCollective } from './collective/clock/time.ts';
export { type Wires, wiresOf } from './collective/clock/wires.ts';
export { checkOutputs, interpret } from './collective/interpret.ts';
export type { Program, Task } from './collective/program.ts';
export { directTaskOf, taskOf, waysOf } from './collective/ways.ts';
export { type ChainedWay, type ChainLink, chainedWays, chainOf, linkName } from './doctor/chain.ts';
export { type Diagnosis, diagnose } from './doctor/diagnose.ts';
export type { Finding, Fix } from './doctor/finding.ts';
export { type FindingId, findingIds } from './doctor/ids.ts';
export type { Answer, Conflict, Fact, Verdict, Where } from './fact/fact.ts';
export type { Edit, Effort } from './flip/edits.ts';
export { type Flip, flipsOf } from './flip/flips.ts';
export { bytesSource, type Source, textSource } from './input/source.ts';
export type * from './machine/host.ts';
export type { Fabric, Machine, Software, Storage, Transport } from './machine/machine.ts';
export { findDevice, type NamedDevice, nameDevices } from './machine/names.ts';
export type { Observed, ObservedWay } from './machine/observed.ts';
export type { Ask } from './nccl/of-machine.ts';
export { newest as newestNccl, type Release, releaseFor, releases as ncclReleases } from './nccl/release.ts';
export { clockedTimes } from './predict/collective/clocked.ts';
export type { Document } from './read/documents.ts';
export { KeptLines } from './read/kept-lines.ts';
export { readLines, readSource, readText } from './read/read-source.ts';
export type { ReadResult } from './read/reader.ts';
export { ncclXml } from './tell/nccl-xml.ts';
export {
  drawDot,
  drawHtml,
  drawMermaid,
  drawSvg,
  drawText,
  type Picture,
  picture,
  pictureJson,
} from './tell/picture/index.ts';
export { redactor } from './tell/redact.ts';
export { type Course, courseOf } from './way/course.ts';
export type { DataPath, Stage, Way } from './way/stages.ts';
export type { Language, Message } from './words/message.ts';
export { render } from './words/render.ts';
export { findTerm, type Term, terms } from './words/terms.ts';
export { type GainRow, type GainSide, gains, type Workload, workloads } from './workload/gain.ts';
export { modelNamed, readModel, type TrainModel } from './workload/model.ts';
