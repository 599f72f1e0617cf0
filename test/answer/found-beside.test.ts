import { describe, expect, it } from 'vitest';
import { foundBeside } from '../../src/answer/found-beside.ts';
import type { ReportPoint } from '../../src/answer/report.ts';
import { say } from '../../src/words/message.ts';
import { documentsOf } from '../doctor/case.ts';

const check = [' DRIVER CONFIGURATION:', ' NVMe               : Unsupported'];
const failed = ['birch:31:77 [0] misc/ibvwrap.cc:187 NCCL WARN Call to ibv_modify_qp failed with error No route'];

describe('a report names what the doctor finds', () => {
  it('once each, causes alone, and failures that nothing explains', async () => {
    const found = foundBeside(await documentsOf({ 'gds.txt': check, 'nccl.log': failed }), []);
    expect(found.map((f) => `${f.mark} ${f.id ?? f.what.code} ${f.evidence[0]?.line}`)).toEqual([
      'bad gds-nvme-unsupported 2',
      'unknown doctor.open.failed 1',
    ]);
    expect(foundBeside(await documentsOf({ 'a.txt': ['nothing to see'] }), [])).toEqual([]);
  });

  it('and not what its own points say by the same line', async () => {
    const documents = await documentsOf({ 'gds.txt': check });
    const point: ReportPoint = {
      mark: 'bad',
      what: say('doctor.none'),
      rule: say('doctor.none'),
      evidence: [{ file: 'gds.txt', line: 2 }],
    };
    expect(foundBeside(documents, [point])).toEqual([]);
  });
});
