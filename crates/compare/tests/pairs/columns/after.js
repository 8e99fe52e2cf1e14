const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);
const words=n=>Array.from({length:n},()=>Math.floor(rnd()*36**6).toString(36)).join('-');
const N=20000;const out=globalThis.out={};
out.x=new Float64Array(N);out.y=new Float64Array(N);out.z=new Float64Array(N);for(let i=0;i<N;i++){out.x[i]=i*1.5;out.y[i]=i*2.5;out.z[i]=i*3.5}
