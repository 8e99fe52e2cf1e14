const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);
const words=n=>Array.from({length:n},()=>Math.floor(rnd()*36**6).toString(36)).join('-');
const N=20000;const out=globalThis.out={};
class M{constructor(i){this.at=new Date(1.7e12+i*1000.5);this.end=new Date(1.8e12+i*999);this.n=i}}
out.m=[];for(let i=0;i<N;i++)out.m.push(new M(i));
