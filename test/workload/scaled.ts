import { jobOn, type StepFigures, stepOf } from '../../src/answer/step-on.ts';
import { asUsual } from '../../src/predict/as-usual.ts';
import { described } from '../support/machines.ts';
import type { Scaling } from './published.ts';

/** Machines as the records tell them; where they are silent, as such machines are (NVIDIA's and Meta's reference designs). */
const nodes: Readonly<Record<Scaling['machine'], { readonly gpus: number; readonly yaml: string }>> = {
  h100: {
    gpus: 8,
    yaml: 'node: {gpu: h100-sxm5-80g, gpus: 8, link: nvswitch, nic: 400Gb/s, nics: 8, cpu: intel-spr, sockets: 2, pcie: gen5, gpusPerSwitch: 1, nicsPerSwitch: 1}\nnetwork: {transport: roce, rate: 400Gb/s}\nsoftware: {gdr: true}\n',
  },
  a100: {
    gpus: 8,
    yaml: 'node: {gpu: a100-sxm4-40g, gpus: 8, link: nvswitch, nic: 200Gb/s, nics: 8, cpu: amd-rome, sockets: 2, pcie: gen4, gpusPerSwitch: 2, nicsPerSwitch: 2}\nnetwork: {transport: roce, rate: 200Gb/s}\nsoftware: {gdr: true}\n',
  },
  // "Pascal": the catalogue has the P40.
  pascal: {
    gpus: 4,
    yaml: 'node: {gpu: p40, gpus: 4, link: pcie, nic: 25Gb/s, nics: 1, cpu: intel-bdw, sockets: 2, pcie: gen3, gpusPerSwitch: 2, nicsPerSwitch: 1}\nnetwork: {transport: roce, rate: 25Gb/s}\nsoftware: {gdr: true}\n',
  },
};

/** What a GPU keeps of its rate from the smaller size to the larger, predicted with any two figures. */
export async function keptOf(s: Scaling): Promise<(figures?: StepFigures) => number> {
  const how = { ...s.how, width: 2 };
  const job = async (gpus: number) => {
    const { gpus: most, yaml } = nodes[s.machine];
    const size = gpus < most ? `gpusPerNode: ${gpus}\n` : `nodes: ${gpus / most}\n`;
    const j = jobOn(asUsual(await described(yaml + size)).machine, {}, how);
    if (!j.ok) throw new Error(j.error.reason.code);
    if (j.value.ranks !== gpus) throw new Error(`${j.value.ranks} ranks`);
    return j.value;
  };
  const small = await job(s.from);
  const large = await job(s.to);
  return (figures) => {
    // The rate of kernels at which the smaller size takes as long as published.
    let rate = (3e6 * s.how.model.flops * s.how.model.samples) / s.step;
    for (let i = 0; i < 6; i++) rate *= stepOf(small, { ...how, rate }, figures).step / s.step;
    return stepOf(small, { ...how, rate }, figures).step / stepOf(large, { ...how, rate }, figures).step;
  };
}
