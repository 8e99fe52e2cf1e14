const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);
const words=n=>Array.from({length:n},()=>Math.floor(rnd()*36**6).toString(36)).join('-');
const N=20000;const out=globalThis.out={};
class Pair{constructor(k,v){this.k=k;this.v=v}}
class H{constructor(i){this.m=new Pair('k'+(i%9),words(1));this.n=i}}
class Line{constructor(i){this.text=words(2);this.i=i}}
out.n=[];for(let i=0;i<N;i++)out.n.push(new H(i));out.log=[];for(let i=0;i<N;i++)out.log.push(new Line(i));
